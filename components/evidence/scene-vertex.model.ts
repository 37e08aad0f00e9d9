import { CURVE, CURVE_POLYGON, HAS_M, HAS_Z, POLYGON, TRIANGLE } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PARENT, PART_COLUMNS, TYPE } from '@/lib/wkb/parts-table';
import {
  KIND_POINTS,
  S_COUNT,
  S_FIRST,
  S_KIND,
  S_ROW,
  S_START,
  S_STRIDE,
  type Scene,
  STROKE_COLUMNS,
} from './scene.model';

type Tables = Pick<Scene, 'coords' | 'strokes' | 'stroke_count' | 'parts' | 'part_count' | 'ordinals'>;

/** Index of the stroke that holds vertex number `vertex`, or −1. O(log n). */
function strokeOfVertex({ strokes, stroke_count }: Tables, vertex: number): number {
  let low = 0;
  let high = stroke_count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((strokes[middle * STROKE_COLUMNS + S_FIRST] as number) <= vertex) low = middle;
    else high = middle - 1;
  }
  const at = low * STROKE_COLUMNS;
  const first = strokes[at + S_FIRST];
  return first !== undefined && vertex >= first && vertex < first + (strokes[at + S_COUNT] as number) ? low : -1;
}

export type Vertex = {
  x: number;
  y: number;
  z: number | null;
  m: number | null;
  /** From the root: parts, then ring, then vertex. */
  path: number[];
  /** Row of `parts` that holds it. */
  row: number;
};

/** Vertex number `vertex`, counted over the whole geometry in the order of the bytes; null beyond the last. */
export function vertexAt(scene: Tables, vertex: number): Vertex | null {
  const stroke = strokeOfVertex(scene, vertex);
  if (stroke < 0) return null;
  const { coords, strokes, parts } = scene;
  const s = stroke * STROKE_COLUMNS;
  const i = vertex - (strokes[s + S_FIRST] as number);
  const at = (strokes[s + S_START] as number) + i * (strokes[s + S_STRIDE] as number);
  const points = strokes[s + S_KIND] === KIND_POINTS;
  const row = (strokes[s + S_ROW] as number) + (points ? i : 0);
  const dims = parts[row * PART_COLUMNS + DIMS] as number;
  const has_z = (dims & HAS_Z) !== 0;
  const path = rowPath(scene, row);
  return {
    x: coords[at] as number,
    y: coords[at + 1] as number,
    z: has_z ? (coords[at + 2] as number) : null,
    m: dims & HAS_M ? (coords[at + (has_z ? 3 : 2)] as number) : null,
    path: points ? path : [...path, i],
    row,
  };
}

/** From the root down to a row of `parts`; [] is the root itself. */
export function rowPath({ parts, ordinals }: Tables, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0; ) {
    const parent = parts[at * PART_COLUMNS + PARENT] as number;
    if (parent >= 0) path.unshift(ordinals[at] as number);
    at = parent;
  }
  return path;
}

/** The row that a path leads to, and what is left of the path below it: a vertex, or nothing. */
function rowAtPath({ parts, part_count, ordinals }: Tables, path: readonly number[]): { row: number; rest: number[] } {
  let row = 0;
  for (const [depth, step] of path.entries()) {
    let child = -1;
    for (let at = row + 1; at < part_count; at++)
      if (parts[at * PART_COLUMNS + PARENT] === row && ordinals[at] === step) {
        child = at;
        break;
      }
    if (child < 0) return { row, rest: path.slice(depth) };
    row = child;
  }
  return { row, rest: [] };
}

/** Number of the vertex that a path leads to, the first one where it leads to a part; null where there is none. */
export function vertexAtPath(scene: Tables, path: readonly number[]): number | null {
  if (scene.part_count === 0) return null;
  const { row, rest } = rowAtPath(scene, path);
  const { strokes, stroke_count } = scene;
  // counted by one: with `s += STROKE_COLUMNS` the production build lost the import (Turbopack of Next 16.4.6)
  for (let stroke = 0; stroke < stroke_count; stroke++) {
    const s = stroke * STROKE_COLUMNS;
    const first_row = strokes[s + S_ROW] as number;
    const count = strokes[s + S_COUNT] as number;
    const points = strokes[s + S_KIND] === KIND_POINTS;
    const last_row = points ? first_row + count - 1 : first_row;
    // an empty part has no first vertex; the next one's is not its own
    if (first_row === row && count === 0) return null;
    if (last_row < row || count === 0) continue;
    const within = points ? Math.max(0, row - first_row) : (rest[0] ?? 0);
    return within < count ? (strokes[s + S_FIRST] as number) + within : null;
  }
  return null;
}

const HOLDS_RINGS = [POLYGON, CURVE_POLYGON, CURVE, TRIANGLE];

/** A path in words: `part 1, ring 0, vertex 3`; what it leads to is looked up in the parts themselves. */
export function pathWords(scene: Tables, path: readonly number[]): string {
  if (path.length === 0) return 'the whole geometry';
  const { row, rest } = rowAtPath(scene, path);
  const words: string[] = [];
  const down = path.slice(0, path.length - rest.length);
  down.forEach((step, depth) => {
    const holder = rowAtPath(scene, path.slice(0, depth)).row;
    const type = scene.parts[holder * PART_COLUMNS + TYPE] as number;
    words.push(`${HOLDS_RINGS.includes(type) ? 'ring' : 'part'} ${step}`);
  });
  if (
    rest.length > 0 &&
    scene.part_count > 0 &&
    (rest[0] as number) < (scene.parts[row * PART_COLUMNS + COUNT] as number)
  )
    words.push(`vertex ${rest[0]}`);
  else if (rest.length > 0) words.push(rest.join(' / '));
  return words.join(', ');
}
