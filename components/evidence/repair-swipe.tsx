'use client';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useDisplay } from '@/components/ui/display';
import { drawSource } from './draw-source';
import { readPalette } from './pane-palette';
import type { Scene } from './scene.model';
import { useSizeOf } from './use-size-of';
import { type Box, fitView } from './view.model';

const FIT_PAD = 18;

/** The same view of a geometry before and after its repair; a slider moves the edge between them. */
export function RepairSwipe({ before, after }: { before: Scene; after: Scene }) {
  const { drawn } = useDisplay();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const canvases = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)] as const;
  const probe = useRef<HTMLSpanElement>(null);
  const [share, setShare] = useState(50);
  const [first, second] = canvases;
  const paint = useCallback(() => {
    const box = joined(before.bbox, after.bbox);
    if (!frame.current || !probe.current || !box) return;
    const size = { width: frame.current.clientWidth, height: frame.current.clientHeight };
    if (size.width === 0) return;
    const palette = readPalette(probe.current);
    const view = fitView(box, size, FIT_PAD);
    paintScene(first.current, before, { view, size, palette });
    paintScene(second.current, after, { view, size, palette: { ...palette, ink: palette.accent } });
  }, [before, after, first, second]);
  useSizeOf(frame, paint);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme that is drawn is the signal
  useEffect(paint, [paint, drawn]);
  const slide = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    if (box) setShare(Math.round(Math.min(100, Math.max(0, ((clientX - box.left) / box.width) * 100))));
  };
  return (
    <div className="swipe">
      <div
        ref={frame}
        className="swipe-c"
        role="img"
        aria-label={`Left of the edge the geometry as stored, right of it the repair; the edge is at ${share} %`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          slide(event.clientX);
        }}
        onPointerMove={(event) => event.buttons === 1 && slide(event.clientX)}
      >
        <canvas ref={first} aria-hidden style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }} />
        <canvas ref={second} aria-hidden style={{ clipPath: `inset(0 0 0 ${share}%)` }} />
        <span className="swipe-e" style={{ left: `${share}%` }} />
        <span className="swipe-t" hidden={share < 12}>
          as stored
        </span>
        <span className="swipe-t end" hidden={share > 88}>
          repaired
        </span>
        <span ref={probe} hidden />
      </div>
      <label htmlFor={id} className="sr">
        Edge between before and after
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        aria-valuetext={`${share} % as stored, ${100 - share} % repaired`}
        onChange={(event) => setShare(Number(event.target.value))}
      />
    </div>
  );
}

function paintScene(
  canvas: HTMLCanvasElement | null,
  scene: Scene,
  ground: Omit<Parameters<typeof drawSource>[1], keyof typeof NOTHING | 'scene' | 'ratio'>,
): void {
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(ground.size.width * ratio);
  canvas.height = Math.round(ground.size.height * ratio);
  drawSource(context, { ...NOTHING, ...ground, scene, ratio });
  canvas.dataset.painted = 'true';
}

const NOTHING = {
  places: [],
  current_fault: null,
  current_edges: [],
  bad_strokes: new Set<number>(),
  area_of_use: null,
  ghost: null,
  hovered: null,
  selected: null,
  arrows: [],
};

function joined(a: Box | null, b: Box | null): Box | null {
  if (!a || !b) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
