'use client';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useDisplay } from '@/components/ui/display';
import { Icon } from '@/components/ui/icon';
import { MARK_RADIUS } from './draw-marks';
import { drawSource } from './draw-source';
import type { FaultPlace } from './fault-place.model';
import { nearestVertex } from './nearest.model';
import { coordinateText } from './number-text.model';
import { type EdgeArrow, outlierArrows } from './outlier-arrows.model';
import { type PanePalette, readPalette } from './pane-palette';
import type { Scene } from './scene.model';
import { pathWords, vertexAt } from './scene-vertex.model';
import { usePaneInput } from './use-pane-input';
import {
  type Box,
  centreOn,
  fitView,
  type Size,
  toScreenX,
  toScreenY,
  toSourceX,
  toSourceY,
  type View,
  zoomAt,
} from './view.model';

const FIT_PAD = 18;
const REACH_PX = 12;

export type SourceCanvasProps = {
  scene: Scene;
  places: readonly FaultPlace[];
  current_fault: number | null;
  /** Numbers of vertices. */
  selected: number | null;
  hovered: number | null;
  /** In source units, or null. */
  area_of_use: Box | null;
  sentence: string;
  onFault: (index: number) => void;
  onSelect: (vertex: number | null) => void;
  onHover: (vertex: number | null) => void;
  /** Changes whenever somebody asks for a place to be shown; a `centre` moves there even when it is in view. */
  target: { at: readonly [number, number]; centre: boolean } | null;
};

type Fit = 'all' | 'cluster';

/** The geometry in its own units, exactly as stored: an image with a pointer, keys and a sentence. */
export function SourceCanvas(props: SourceCanvasProps) {
  const { scene, places, current_fault, selected, hovered, area_of_use, target } = props;
  const { drawn } = useDisplay();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const state = useRef<{
    view: View | null;
    size: Size;
    palette: PanePalette | null;
    arrows: EdgeArrow[];
    moved: boolean;
  }>({
    view: null,
    size: { width: 0, height: 0 },
    palette: null,
    arrows: [],
    moved: false,
  });
  const [moved, setMoved] = useState(false);
  const bad_strokes = useMemo(
    () => new Set(places.filter(({ fault }) => fault.code === 'hole_outside_shell').map(({ stroke }) => stroke)),
    [places],
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
    state.current.arrows = outlierArrows(scene, view, size);
    drawSource(context, {
      scene,
      view,
      size,
      ratio,
      palette,
      places,
      current_fault,
      bad_strokes,
      area_of_use,
      hovered: place(hovered),
      selected: place(selected),
      arrows: state.current.arrows,
    });
    canvas.current.dataset.painted = 'true';
  };
  const latestPaint = useRef(paint);
  const request = useRef(0);
  const repaint = useCallback(() => {
    if (request.current !== 0) return;
    request.current = requestAnimationFrame(() => {
      request.current = 0;
      latestPaint.current();
    });
  }, []);
  useEffect(() => {
    latestPaint.current = paint;
    repaint();
  });
  useEffect(
    () => () => {
      cancelAnimationFrame(request.current);
      // else a pane that is mounted again would wait for a frame that never comes
      request.current = 0;
    },
    [],
  );

  const show = useCallback(
    (which: Fit) => {
      const box = which === 'cluster' && scene.cluster ? scene.cluster.box : scene.bbox;
      if (!box) return;
      state.current.view = fitView(box, state.current.size, FIT_PAD);
      state.current.moved = which === 'cluster';
      setMoved(state.current.moved);
      repaint();
    },
    [scene, repaint],
  );
  const move = useCallback(
    (view: View) => {
      state.current.view = view;
      state.current.moved = true;
      setMoved(true);
      repaint();
    },
    [repaint],
  );
  useSizeOf(frame, (size) => {
    state.current.size = size;
    if (!state.current.moved) show('all');
    latestPaint.current();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme that is drawn is the signal
  useEffect(() => {
    if (probe.current) state.current.palette = readPalette(probe.current);
    repaint();
  }, [drawn, repaint]);
  useEffect(() => {
    const { view, size } = state.current;
    if (!target || !view) return;
    const [x, y] = [toScreenX(view, size, target.at[0]), toScreenY(view, size, target.at[1])];
    const inside = x > 16 && y > 16 && x < size.width - 16 && y < size.height - 16;
    if (!inside || (target.centre && state.current.moved)) move(centreOn(view, target.at[0], target.at[1]));
  }, [target, move]);

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
    point: (px) => props.onHover(px && at(px)),
    click: (px) => {
      const { view, size, arrows } = state.current;
      if (!view) return;
      const hit = places.findLastIndex(
        ({ at: where }) =>
          where !== null &&
          Math.hypot(toScreenX(view, size, where[0]) - px.x, toScreenY(view, size, where[1]) - px.y) <= MARK_RADIUS + 3,
      );
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
  const vertex = hovered === null ? null : vertexAt(scene, hovered);
  return (
    <div className="src-c">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an image that is moved with the keys */}
      <div ref={frame} className="src-frame" role="img" aria-label={props.sentence} tabIndex={0} data-pane="source">
        <canvas ref={canvas} aria-hidden />
        <span ref={probe} hidden />
      </div>
      {vertex && (
        <p className="src-at mono" aria-hidden>
          {pathWords(scene, vertex.path)} <b>{coordinateText(vertex.x, 13)}</b> <b>{coordinateText(vertex.y, 13)}</b>
          {vertex.z !== null && <> z {coordinateText(vertex.z, 10)}</>}
          {vertex.m !== null && <> m {coordinateText(vertex.m, 10)}</>}
        </p>
      )}
      <div className="src-tools">
        <button
          type="button"
          className="btn btn-s btn-icon quiet"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => zoom(2)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          className="btn btn-s btn-icon quiet"
          aria-label="Zoom out"
          title="Zoom out (-)"
          onClick={() => zoom(0.5)}
        >
          <Icon name="minus" />
        </button>
        {scene.cluster && (
          <button
            type="button"
            className="btn btn-s"
            onClick={() => show('cluster')}
            title={`${scene.cluster.outlier_count} vertices lie outside`}
          >
            Fit main cluster
          </button>
        )}
        {moved && (
          <button type="button" className="btn btn-s" title="Fit (0)" onClick={() => show('all')}>
            Fit
          </button>
        )}
      </div>
    </div>
  );
}

/** Tells the size at once and whenever it changes. */
function useSizeOf(element: RefObject<HTMLElement | null>, tell: (size: Size) => void): void {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const see = () => latest.current({ width: target.clientWidth, height: target.clientHeight });
    const observer = new ResizeObserver(see);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
}
