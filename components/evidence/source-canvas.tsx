'use client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDisplay } from '@/components/ui/display';
import type { Ring } from './area-ring.model';
import { MARK_RADIUS, markPlace } from './draw-marks';
import { drawSource } from './draw-source';
import { faultEdges } from './fault-edges.model';
import type { FaultPlace } from './fault-place.model';
import type { SourceGhost } from './ghost.model';
import type { LinkedCursor } from './linked-cursor';
import { nearestVertex } from './nearest.model';
import { outlierArrows } from './outlier-arrows.model';
import { type PaneHint, paneHints, sameHints } from './pane-hint.model';
import { readPalette } from './pane-palette';
import type { Scene } from './scene.model';
import { vertexAt } from './scene-vertex.model';
import { SourceHints } from './source-hints';
import { SourceTools } from './source-tools';
import { StrokesLayer } from './strokes-layer';
import { usePaneInput } from './use-pane-input';
import { type Target, useSourceView } from './use-source-view';
import { VertexWords } from './vertex-words';
import { centreOn, toScreenX, toScreenY, toSourceX, toSourceY, type View, zoomAt } from './view.model';

const REACH_PX = 12;
/** A pane that was not moved for so long is drawn exactly. */
const SETTLE_MS = 150;

export type SourceCanvasProps = {
  scene: Scene;
  places: readonly FaultPlace[];
  current_fault: number | null;
  /** Numbers of vertices. */
  selected: number | null;
  hovered: number | null;
  /** In source units, or null; `area_distance` from the shape to it, in words. */
  area_of_use: Ring | null;
  area_distance: string | null;
  /** The numbers read otherwise, as the verdict or the candidate in hand says. */
  ghost: SourceGhost | null;
  cursor: LinkedCursor;
  sentence: string;
  onFault: (index: number) => void;
  onSelect: (vertex: number | null) => void;
  onHover: (vertex: number | null) => void;
  target: Target | null;
};

/** The geometry in its own units, exactly as stored: an image with a pointer, keys and a sentence. */
export function SourceCanvas(props: SourceCanvasProps) {
  const { scene, places, current_fault, selected, hovered, area_of_use, area_distance, ghost, target, cursor } = props;
  const { drawn } = useDisplay();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const cross = useRef<HTMLSpanElement>(null);
  const { state, painter, moved, repaint, show, showBoth, move } = useSourceView(scene, frame, target);
  const follower = useRef(() => {});
  const [layer] = useState(() => new StrokesLayer());
  const settling = useRef(0);
  const resting = useRef<View | null>(null);
  const [hints, setHints] = useState<readonly PaneHint[]>([]);
  const bad_strokes = useMemo(
    () => new Set(places.filter(({ fault }) => fault.code === 'hole_outside_shell').map(({ stroke }) => stroke)),
    [places],
  );
  const current_edges = useMemo(
    () => faultEdges(scene, current_fault === null ? undefined : places[current_fault]),
    [scene, places, current_fault],
  );
  const place = (vertex: number | null): [number, number] | null => {
    const at = vertex === null ? null : vertexAt(scene, vertex);
    return at && Number.isFinite(at.x) && Number.isFinite(at.y) ? [at.x, at.y] : null;
  };

  const paint = () => {
    const context = canvas.current?.getContext('2d');
    const { view, size, palette } = state.current;
    if (!context || !canvas.current || !view || !palette || size.width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.current.width !== width) canvas.current.width = width;
    if (canvas.current.height !== height) canvas.current.height = height;
    if (resting.current === view) layer.settle();
    resting.current = null;
    state.current.arrows = outlierArrows(scene, view, size);
    const exact = drawSource(context, {
      scene,
      layer,
      view,
      size,
      ratio,
      palette,
      places,
      current_fault,
      current_edges,
      bad_strokes,
      area_of_use,
      ghost,
      hovered: place(hovered),
      selected: place(selected),
      arrows: state.current.arrows,
    });
    canvas.current.dataset.painted = 'true';
    window.clearTimeout(settling.current);
    if (!exact)
      settling.current = window.setTimeout(() => {
        // frames that take longer than this would never move a picture: it rests only if the next one is where this is
        resting.current = view;
        repaint();
      }, SETTLE_MS);
    const next = paneHints({ area_of_use, area_distance, ghost }, view, size);
    setHints((known) => (sameHints(known, next) ? known : next));
    followCursor();
  };
  /** The other pane's pointer: an element over the canvas, so that following it paints nothing. */
  const followCursor = () => {
    const { view, size } = state.current;
    const { in_source } = cursor;
    if (!cross.current) return;
    cross.current.hidden = !view || !in_source;
    if (!view || !in_source) return;
    const [x, y] = [toScreenX(view, size, in_source[0]), toScreenY(view, size, in_source[1])];
    cross.current.style.translate = `${Math.max(-99, Math.min(size.width + 99, x))}px ${Math.max(-99, Math.min(size.height + 99, y))}px`;
  };
  useEffect(() => {
    painter.current = paint;
    follower.current = followCursor;
    repaint();
  });
  useEffect(() => () => window.clearTimeout(settling.current), []);
  useEffect(() => cursor.subscribe(() => follower.current()), [cursor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme that is drawn is the signal
  useEffect(() => {
    if (probe.current) state.current.palette = readPalette(probe.current);
    repaint();
  }, [drawn, repaint]);
  const at = (px: { x: number; y: number }): number | null => {
    const { view, size } = state.current;
    if (!view) return null;
    return nearestVertex(scene, toSourceX(view, size, px.x), toSourceY(view, size, px.y), REACH_PX / view.k);
  };
  usePaneInput(frame, {
    view: () => state.current.view ?? { cx: 0, cy: 0, k: 1 },
    size: () => state.current.size,
    move,
    fit: () => show('all'),
    point: (px) => {
      const { view, size } = state.current;
      const vertex = px && at(px);
      props.onHover(vertex);
      const there = place(vertex ?? null) ?? (px && view && [toSourceX(view, size, px.x), toSourceY(view, size, px.y)]);
      cursor.overSource(there ?? null);
    },
    click: (px) => {
      const { view, size, arrows } = state.current;
      if (!view) return;
      const marks = { view, size, places, current_fault, current_edges };
      const hit = places.findIndex((_, i) => {
        const mark = markPlace(marks, i);
        return mark !== null && Math.hypot(mark.x - px.x, mark.y - px.y) <= MARK_RADIUS + 3;
      });
      const arrow = arrows.find(({ px: x, py: y }) => Math.hypot(x - px.x, y - px.y) <= 14);
      const outside = arrow && vertexAt(scene, arrow.vertex);
      if (hit >= 0) props.onFault(hit);
      else if (outside) move(centreOn(view, outside.x, outside.y));
      else props.onSelect(at(px));
    },
  });
  const zoom = (factor: number) => {
    const { view, size } = state.current;
    if (view) move(zoomAt(view, size, factor, size.width / 2, size.height / 2));
  };
  return (
    <div className="src-c">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an image that is moved with the keys */}
      <div ref={frame} className="src-frame" role="img" aria-label={props.sentence} tabIndex={0} data-pane="source">
        <canvas ref={canvas} aria-hidden />
        <span ref={cross} className="src-cursor" hidden aria-hidden />
        <span ref={probe} hidden />
      </div>
      {hovered !== null && <VertexWords scene={scene} vertex={hovered} />}
      <SourceHints hints={hints} onShow={({ box }) => showBoth(box)} />
      <SourceTools
        outliers={scene.cluster?.outlier_count ?? null}
        moved={moved}
        onZoom={zoom}
        onCluster={() => show('cluster')}
        onFit={() => show('all')}
      />
    </div>
  );
}
