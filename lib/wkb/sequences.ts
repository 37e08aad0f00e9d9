import {
  CIRCULAR_STRING,
  CURVE,
  CURVE_POLYGON,
  HAS_M,
  HAS_Z,
  LINE_STRING,
  POINT,
  RING,
  strideOf,
} from './geometry-type';
import { COUNT, DEPTH, DIMS, PARENT, PART_COLUMNS, START, TYPE } from './parts-table';
import { PathCursor } from './path-cursor';
import type { WkbReading } from './reading';

export type SequenceKind = 'point' | 'line' | 'arc' | 'shell' | 'hole';

/** One run of vertices that is drawn with one pen stroke. */
export interface VertexSequence {
  kind: SequenceKind;
  /** Row in the parts table. */
  row: number;
  /** Zero-based path as in findings. */
  path: number[];
  /** Number of its first vertex, counted over the whole geometry in the order of the bytes. */
  first_vertex: number;
  vertex_count: number;
  /** Index of its first x in `coords`; vertex n lies at `coord_start + n * stride`. */
  coord_start: number;
  stride: number;
  has_z: boolean;
  has_m: boolean;
  /** Vertices are on arcs (CircularString), not on straight segments. */
  arcs: boolean;
  /** Its last vertex is its first one, in x and y. */
  is_closed: boolean;
  /** Only the readable beginning of what the bytes declare. */
  is_cut: boolean;
}

type Tables = Pick<WkbReading, 'coords' | 'parts' | 'part_count' | 'cut_part'>;

/** Every point, line, arc and ring in the order of the bytes, also those without vertices. */
export function* sequencesOf(reading: Tables): Generator<VertexSequence, void> {
  const { parts, part_count } = reading;
  const path = new PathCursor();
  let first_vertex = 0;
  let ordinal = 0;
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    const dims = parts[at + DIMS] as number;
    const parent = parts[at + PARENT] as number;
    path.enter(parts[at + DEPTH] as number);
    if (type > LINE_STRING && type !== CIRCULAR_STRING) continue;
    const parent_type = parent < 0 ? -1 : (parts[parent * PART_COLUMNS + TYPE] as number);
    const here = path.here();
    ordinal = here.at(-1) ?? 0;
    const is_ring = type === RING || parent_type === CURVE_POLYGON || parent_type === CURVE;
    const vertex_count = parts[at + COUNT] as number;
    const coord_start = parts[at + START] as number;
    const stride = strideOf(dims);
    yield {
      kind: kindOf(type, is_ring, ordinal),
      row,
      path: here,
      first_vertex,
      vertex_count,
      coord_start,
      stride,
      has_z: (dims & HAS_Z) !== 0,
      has_m: (dims & HAS_M) !== 0,
      arcs: type === CIRCULAR_STRING,
      is_closed: endsMeet(reading.coords, coord_start, vertex_count, stride),
      is_cut: row === reading.cut_part,
    };
    first_vertex += vertex_count;
  }
}

/** The sequence that holds vertex number `vertex`; the list must be complete and in order. O(log n). */
export function sequenceHoldingVertex(sequences: readonly VertexSequence[], vertex: number): VertexSequence | null {
  let low = 0;
  let high = sequences.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sequences[middle] as VertexSequence).first_vertex <= vertex) low = middle;
    else high = middle - 1;
  }
  const found = sequences[low];
  return found && vertex >= found.first_vertex && vertex < found.first_vertex + found.vertex_count ? found : null;
}

/** Number of the vertex that a finding's path points to (the first vertex where it points to a whole part), or null. */
export function vertexAtPath(sequences: readonly VertexSequence[], path: readonly number[]): number | null {
  for (const sequence of sequences) {
    const shared = Math.min(sequence.path.length, path.length);
    if (sequence.vertex_count === 0 || !sequence.path.slice(0, shared).every((step, i) => step === path[i])) continue;
    const n = path[sequence.path.length] ?? 0;
    return n < sequence.vertex_count ? sequence.first_vertex + n : null;
  }
  return null;
}

/** x, y[, z][, m] of vertex number `vertex` of the whole geometry, which must lie in `sequence`. */
export function vertexOf(coords: Float64Array, sequence: VertexSequence, vertex: number): number[] {
  const at = sequence.coord_start + (vertex - sequence.first_vertex) * sequence.stride;
  return Array.from(coords.subarray(at, at + sequence.stride));
}

function kindOf(type: number, is_ring: boolean, ordinal: number): SequenceKind {
  if (type === POINT) return 'point';
  if (is_ring) return ordinal === 0 ? 'shell' : 'hole';
  return type === CIRCULAR_STRING ? 'arc' : 'line';
}

function endsMeet(coords: Float64Array, start: number, count: number, stride: number): boolean {
  if (count < 2) return false;
  const last = start + (count - 1) * stride;
  return coords[start] === coords[last] && coords[start + 1] === coords[last + 1];
}
