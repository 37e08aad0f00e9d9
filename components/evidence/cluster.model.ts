import { S_COUNT, S_FIRST, S_START, S_STRIDE, STROKE_COLUMNS } from './scene.model';
import type { Box } from './view.model';

/** Where nearly all vertices lie, when the rest lies so far off that a view of everything would show a dot. */
export type Cluster = {
  box: Box;
  outlier_count: number /** Numbers of the first 10,000 vertices outside. */;
  outliers: Int32Array;
};

const MOST_SAMPLES = 20_000;
const MOST_OUTLIERS = 10_000;
/** The main cluster is offered where its longer side is this many times shorter than that of the whole. */
const MUCH_SMALLER = 20;

/**
 * The vertices within the 1st to 99th percentile of x and y (widened by its own size), or null where they are not much
 * smaller than the whole.
 * Of few vertices the outermost two (one below nine) are left out on each side: the first and last of a ring are one place.
 */
export function mainCluster(coords: Float64Array, strokes: Int32Array, bbox: Box): Cluster | null {
  const [xs, ys] = sample(coords, strokes);
  if (xs.length < 5) return null;
  const [x0, x1, half_x] = widened(inner(xs));
  const [y0, y1, half_y] = widened(inner(ys));
  const whole = Math.max(bbox[2] / 2 - bbox[0] / 2, bbox[3] / 2 - bbox[1] / 2);
  if (!(Math.max(half_x, half_y) * MUCH_SMALLER < whole)) return null;
  const outliers: number[] = [];
  let outlier_count = 0;
  let [minx, miny, maxx, maxy] = [Infinity, Infinity, -Infinity, -Infinity];
  eachFinite(coords, strokes, (x, y, vertex) => {
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) {
      minx = Math.min(minx, x);
      miny = Math.min(miny, y);
      maxx = Math.max(maxx, x);
      maxy = Math.max(maxy, y);
    } else if (outlier_count++ < MOST_OUTLIERS) outliers.push(vertex);
  });
  return { box: [minx, miny, maxx, maxy], outlier_count, outliers: Int32Array.from(outliers) };
}

function eachFinite(
  coords: Float64Array,
  strokes: Int32Array,
  see: (x: number, y: number, vertex: number) => void,
): void {
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) {
    const stride = strokes[s + S_STRIDE] as number;
    const count = strokes[s + S_COUNT] as number;
    for (let i = 0, at = strokes[s + S_START] as number; i < count; i++, at += stride) {
      const x = coords[at] as number;
      const y = coords[at + 1] as number;
      if (x - x === 0 && y - y === 0) see(x, y, (strokes[s + S_FIRST] as number) + i);
    }
  }
}

/** Every n-th finite vertex, sorted on each axis. */
function sample(coords: Float64Array, strokes: Int32Array): [Float64Array, Float64Array] {
  let total = 0;
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) total += strokes[s + S_COUNT] as number;
  const every = Math.max(1, Math.ceil(total / MOST_SAMPLES));
  const xs: number[] = [];
  const ys: number[] = [];
  eachFinite(coords, strokes, (x, y, vertex) => {
    if (vertex % every !== 0) return;
    xs.push(x);
    ys.push(y);
  });
  return [Float64Array.from(xs).sort(), Float64Array.from(ys).sort()];
}

/** A range with as much again on each side, and half of what it was. */
function widened([from, to]: [number, number]): [number, number, number] {
  const half = to / 2 - from / 2;
  return [from - 2 * half, to + 2 * half, half];
}

function inner(sorted: Float64Array): [number, number] {
  const n = sorted.length;
  const cut = Math.max(n >= 9 ? 2 : 1, Math.ceil(n * 0.01));
  return [sorted[cut] as number, sorted[n - 1 - cut] as number];
}
