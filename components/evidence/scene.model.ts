import { CIRCULAR_STRING, CURVE, CURVE_POLYGON, LINE_STRING, POINT, RING, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DEPTH, DIMS, PARENT, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import { type Cluster, mainCluster } from './cluster.model';
import type { Box } from './view.model';

/**
 * One row a stroke, that is a line, an arc, a ring, or a run of points: columns of `Scene.strokes`. Typed arrays, so that
 * a million vertices (or a million single points) cross from the worker without being copied.
 */
export const STROKE_COLUMNS = 9;
export const S_ROW = 0;
export const S_KIND = 1;
export const S_START = 2;
export const S_COUNT = 3;
export const S_STRIDE = 4;
export const S_FIRST = 5;
export const S_PARENT = 6;
/** 1: its ends meet. */
export const S_CLOSED = 7;
/** Row of its first chunk in `Scene.chunks`. */
export const S_CHUNK = 8;

export const KIND_POINTS = 0;
export const KIND_LINE = 1;
export const KIND_RING = 2;

/** Vertices of one clipping chunk: small enough to skip most of a long ring, large enough that the boxes cost nothing. */
export const CHUNK = 4096;
const MOST_LISTED = 10_000;

/** A geometry as the source pane draws it: the reader's tables, cut into strokes and chunks with their boxes. */
export type Scene = Omit<WkbReading, 'findings' | 'finding_counts' | 'bbox' | 'first_non_finite_vertex'> & {
  strokes: Int32Array;
  stroke_count: number;
  ring_count: number;
  /** Four doubles a chunk: minx, miny, maxx, maxy of its finite vertices; minx > maxx where it has none. */
  chunks: Float64Array;
  /** Position of each row of `parts` among its siblings. */
  ordinals: Int32Array;
  /** Of the vertices with finite x and y. */
  bbox: Box | null;
  /** Vertices whose x or y is not finite: how many, and the numbers of the first 10,000. */
  non_finite_count: number;
  non_finite: Int32Array;
  cluster: Cluster | null;
};

export function buildScene(reading: WkbReading): Scene {
  const { findings: _, finding_counts: __, bbox, first_non_finite_vertex: ___, ...kept } = reading;
  const ordinals = ordinalsOf(reading);
  const strokes = strokesOf(reading);
  const { chunks, non_finite, non_finite_count } = chunkBoxes(reading.coords, strokes);
  let ring_count = 0;
  for (let at = 0; at < strokes.length; at += STROKE_COLUMNS) if (strokes[at + S_KIND] === KIND_RING) ring_count++;
  const stroke_count = strokes.length / STROKE_COLUMNS;
  const scene = { ...kept, strokes, stroke_count, ring_count, chunks, ordinals, bbox, non_finite_count, non_finite };
  return { ...scene, cluster: bbox && mainCluster(reading.coords, strokes, bbox) };
}

function ordinalsOf({ parts, part_count }: WkbReading): Int32Array {
  const ordinals = new Int32Array(part_count);
  const next: number[] = [];
  for (let row = 0; row < part_count; row++) {
    const depth = parts[row * PART_COLUMNS + DEPTH] as number;
    ordinals[row] = next[depth] ?? 0;
    next[depth] = (next[depth] ?? 0) + 1;
    next.length = depth + 1;
  }
  return ordinals;
}

function strokesOf({ coords, parts, part_count }: WkbReading): Int32Array {
  const out = new Int32Array(part_count * STROKE_COLUMNS);
  let length = 0;
  let first_vertex = 0;
  let chunk = 0;
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    if (type > LINE_STRING && type !== CIRCULAR_STRING) continue;
    const [parent, start, count] = [
      parts[at + PARENT] as number,
      parts[at + START] as number,
      parts[at + COUNT] as number,
    ];
    const stride = strideOf(parts[at + DIMS] as number);
    const before = length - STROKE_COLUMNS;
    const joins =
      type === POINT &&
      count === 1 &&
      before >= 0 &&
      out[before + S_KIND] === KIND_POINTS &&
      out[before + S_PARENT] === parent &&
      out[before + S_STRIDE] === stride &&
      (out[before + S_ROW] as number) + (out[before + S_COUNT] as number) === row;
    if (joins) {
      out[before + S_COUNT] = (out[before + S_COUNT] as number) + 1;
      chunk = (out[before + S_CHUNK] as number) + Math.ceil((out[before + S_COUNT] as number) / CHUNK);
    } else {
      const parent_type = parent < 0 ? -1 : (parts[parent * PART_COLUMNS + TYPE] as number);
      const ring = type === RING || parent_type === CURVE_POLYGON || parent_type === CURVE;
      const last = start + (count - 1) * stride;
      const closed = count > 1 && coords[start] === coords[last] && coords[start + 1] === coords[last + 1];
      const kind = type === POINT ? KIND_POINTS : ring ? KIND_RING : KIND_LINE;
      out.set([row, kind, start, count, stride, first_vertex, parent, closed ? 1 : 0, chunk], length);
      length += STROKE_COLUMNS;
      chunk += Math.ceil(count / CHUNK);
    }
    first_vertex += count;
  }
  return out.slice(0, length);
}

function chunkBoxes(coords: Float64Array, strokes: Int32Array) {
  const last = strokes.length - STROKE_COLUMNS;
  const total =
    last < 0 ? 0 : (strokes[last + S_CHUNK] as number) + Math.ceil((strokes[last + S_COUNT] as number) / CHUNK);
  const chunks = new Float64Array(total * 4);
  const listed: number[] = [];
  let non_finite_count = 0;
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) {
    const [start, count, stride] = [
      strokes[s + S_START] as number,
      strokes[s + S_COUNT] as number,
      strokes[s + S_STRIDE] as number,
    ];
    for (let from = 0, c = (strokes[s + S_CHUNK] as number) * 4; from < count; from += CHUNK, c += 4) {
      let [minx, miny, maxx, maxy] = [Infinity, Infinity, -Infinity, -Infinity];
      const to = Math.min(count, from + CHUNK);
      for (let i = from, at = start + from * stride; i < to; i++, at += stride) {
        const x = coords[at] as number;
        const y = coords[at + 1] as number;
        // only of finite numbers the difference with themselves is 0
        if (x - x !== 0 || y - y !== 0) {
          if (non_finite_count++ < MOST_LISTED) listed.push((strokes[s + S_FIRST] as number) + i);
          continue;
        }
        if (x < minx) minx = x;
        if (x > maxx) maxx = x;
        if (y < miny) miny = y;
        if (y > maxy) maxy = y;
      }
      chunks.set([minx, miny, maxx, maxy], c);
    }
  }
  return { chunks, non_finite: Int32Array.from(listed), non_finite_count };
}

/** The buffers that may be handed over instead of copied. */
export function buffersOf(scene: Scene): ArrayBuffer[] {
  const { coords, parts, strokes, chunks, ordinals, non_finite, cluster } = scene;
  const all = [coords, parts, strokes, chunks, ordinals, non_finite, ...(cluster ? [cluster.outliers] : [])];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}
