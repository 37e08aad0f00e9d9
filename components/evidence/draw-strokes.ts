import { type ClipBox, clipRing, clipSegment, FAR_PX } from './clip.model';
import type { Ground } from './draw-ground';
import { MOST_SQUARES } from './layer-plan.model';
import type { PanePalette } from './pane-palette';
import { AreaMask, LineMask } from './raster-lines';
import { KIND_POINTS, KIND_RING, S_CLOSED, S_KIND, S_PARENT, S_ROW, type Scene, STROKE_COLUMNS } from './scene.model';
import { type Trace, traceStroke } from './trace.model';

export type Strokes = Ground & {
  scene: Scene;
  /** Strokes that a fault is about as a whole: drawn dashed like an unclosed ring. */
  bad_strokes: ReadonlySet<number>;
};

const FILL_ALPHA = 0.06;
/** Up to this many points in the pane the canvas strokes the lines, smooth; more go into a mask. */
const MOST_STROKED = 3000;
/** More polygons than this share one path: an overlap then shows as a hole, and drawing stays fast. */
const MOST_OWN_FILLS = 3000;

/** Fills and lines; answers the places of the squares, or none where they would be too many, and how many vertices are near. */
export function drawStrokes(ctx: CanvasRenderingContext2D, drawing: Strokes): { squares: number[]; near: number } {
  const { scene, view, size, ratio, palette, bad_strokes } = drawing;
  const clip = { x0: -64, y0: -64, x1: size.width + 64, y1: size.height + 64 };
  const lines: { trace: Trace; bad: boolean }[] = [];
  let points = 0;
  const joined = scene.stroke_count > MOST_OWN_FILLS ? new Path2D() : null;
  const squares: number[] = [];
  const dots: number[] = [];
  let near = 0;
  // rings of one polygon are filled together, or a hole would not be one
  let fill = null as { parent: number; runs: number[][]; whole: boolean } | null;
  const fillNow = () => {
    if (!fill?.whole) return;
    if (fill.runs.some((run) => run.length > 2 * MOST_STROKED)) {
      const mask = new AreaMask(size, ratio);
      for (const run of fill.runs) mask.add(run);
      mask.paint(ctx, palette.ink, FILL_ALPHA);
      return;
    }
    const path = new Path2D();
    fillRuns(path, fill.runs, clip);
    if (joined) joined.addPath(path);
    else fillLightly(ctx, path, palette);
  };
  for (let stroke = 0; stroke < scene.stroke_count; stroke++) {
    const s = stroke * STROKE_COLUMNS;
    const kind = scene.strokes[s + S_KIND];
    const trace = traceStroke(scene, stroke, view, size);
    near += trace.near;
    if (kind === KIND_POINTS) {
      for (const run of trace.runs) for (const each of run) dots.push(each);
      continue;
    }
    if (near <= MOST_SQUARES) for (const run of trace.runs) for (const each of run) squares.push(each);
    const closed = scene.strokes[s + S_CLOSED] === 1;
    const ring = kind === KIND_RING;
    lines.push({ trace, bad: (ring && !closed) || bad_strokes.has(stroke) });
    for (const run of trace.runs) points += run.length / 2;
    if (!ring) continue;
    const parent = scene.strokes[s + S_PARENT] as number;
    if (fill?.parent !== parent) {
      fillNow();
      fill = { parent, runs: [], whole: true };
    }
    // across a vertex that is not finite, or from where the bytes end, there is no area
    if (trace.runs.length > 1 || scene.strokes[s + S_ROW] === scene.cut_part) fill.whole = false;
    fill.runs.push(...trace.runs);
  }
  fillNow();
  if (joined) fillLightly(ctx, joined, palette);
  drawLines(ctx, drawing, lines, points > MOST_STROKED, clip);
  drawDots(ctx, dots, drawing);
  return { squares: near <= MOST_SQUARES ? squares : [], near };
}

function drawLines(
  ctx: CanvasRenderingContext2D,
  { size, ratio, palette }: Ground,
  lines: readonly { trace: Trace; bad: boolean }[],
  dense: boolean,
  clip: ClipBox,
): void {
  for (const bad of [false, true]) {
    const colour = bad ? palette.fault : palette.ink;
    const own = lines.filter((line) => line.bad === bad);
    if (own.length === 0) continue;
    if (dense) {
      const mask = new LineMask(size, ratio);
      for (const { trace } of own) for (const run of trace.runs) mask.add(run, bad);
      mask.paint(ctx, colour);
      continue;
    }
    const path = new Path2D();
    for (const { trace } of own) strokeTrace(path, trace, clip);
    ctx.lineJoin = 'round';
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = colour;
    ctx.setLineDash(bad ? [4, 2.5] : []);
    ctx.stroke(path);
    ctx.setLineDash([]);
  }
}

function fillLightly(ctx: CanvasRenderingContext2D, path: Path2D, palette: PanePalette): void {
  ctx.globalAlpha = FILL_ALPHA;
  ctx.fillStyle = palette.ink;
  ctx.fill(path, 'evenodd');
  ctx.globalAlpha = 1;
}

const isFar = (value: number) => !(Math.abs(value) < FAR_PX);

function strokeTrace(path: Path2D, { runs }: Trace, clip: ClipBox): void {
  for (const run of runs) {
    let pen = false;
    for (let i = 0; i < run.length; i += 2) {
      const x = run[i] as number;
      const y = run[i + 1] as number;
      if (i === 0) continue;
      const [px, py] = [run[i - 2] as number, run[i - 1] as number];
      if (isFar(x) || isFar(y) || isFar(px) || isFar(py)) {
        const seen = clipSegment(px, py, x, y, clip);
        if (seen) {
          path.moveTo(seen[0], seen[1]);
          path.lineTo(seen[2], seen[3]);
        }
        pen = false;
        continue;
      }
      if (!pen) path.moveTo(px, py);
      path.lineTo(x, y);
      pen = true;
    }
  }
}

function fillRuns(path: Path2D, runs: readonly number[][], clip: ClipBox): void {
  for (const run of runs) {
    const ring = run.some(isFar) ? clipRing(run, clip) : run;
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0] as number, ring[1] as number);
      else path.lineTo(ring[i] as number, ring[i + 1] as number);
    }
    path.closePath();
  }
}

/** Single points. Where many fall on one pixel it is drawn once. */
function drawDots(ctx: CanvasRenderingContext2D, dots: readonly number[], { size, palette }: Ground): void {
  const many = dots.length > 4000;
  const taken = new Uint8Array(Math.ceil(size.width) * Math.ceil(size.height));
  const path = new Path2D();
  for (let i = 0; i < dots.length; i += 2) {
    const x = dots[i] as number;
    const y = dots[i + 1] as number;
    if (!(x > -4 && x < size.width + 4 && y > -4 && y < size.height + 4)) continue;
    if (many) {
      const pixel = Math.floor(y) * Math.ceil(size.width) + Math.floor(x);
      if (taken[pixel]) continue;
      taken[pixel] = 1;
      path.rect(x - 1, y - 1, 2, 2);
    } else {
      path.moveTo(x + 3, y);
      path.arc(x, y, 3, 0, Math.PI * 2);
    }
  }
  ctx.fillStyle = palette.ink;
  ctx.fill(path);
}
