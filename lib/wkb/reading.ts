import type { GeometryTypeName } from './geometry-type';

export type ReadErrorCode = 'truncated' | 'bad_byte_order' | 'unknown_type' | 'nesting_too_deep' | 'capped';

/** What stopped the reader; `offset` is the byte where the field at fault begins. */
export interface ReadError {
  code: ReadErrorCode;
  message: string;
  offset: number;
}

export type FindingCode =
  | 'non_finite_vertex'
  | 'unclosed_ring'
  | 'too_few_points'
  | 'trailing_bytes'
  | 'srid_out_of_range'
  | 'curve'
  | 'unknown_type'
  | 'capped';

/**
 * One fault found in bytes that could be read. `path` is zero-based from the root: parts, then ring, then vertex
 * ([] is the root itself, null the whole input). `at` is in source units, null where no finite place is meant.
 */
export interface Finding {
  code: FindingCode;
  path: number[] | null;
  at: [number, number] | null;
  message: string;
  severity: 'fails' | 'note';
}

export interface WkbReading {
  /** Name of the root's type; null where the bytes end or fail before it. */
  type_name: GeometryTypeName | null;
  /** WKB code 1–17 of the root, or null. */
  type_code: number | null;
  has_z: boolean;
  has_m: boolean;
  /** The root's SRID exactly as in the bytes (uint32), null where none is written. */
  srid: number | null;
  byte_length: number;
  /** Bytes after a complete geometry; 0 where the reader stopped early. */
  trailing_bytes: number;
  error: ReadError | null;
  findings: Finding[];
  /** All of each kind, also those beyond the listed ones. */
  finding_counts: Partial<Record<FindingCode, number>>;
  /** Rows in `parts`: geometries and rings. */
  part_count: number;
  vertex_count: number;
  /** Complete, and without a vertex. WKB writes POINT EMPTY as one vertex NaN NaN, which is no sure sign: not counted. */
  is_empty: boolean;
  /** Of the vertices with finite x and y: [minx, miny, maxx, maxy]. */
  bbox: [number, number, number, number] | null;
  /** Number of the first vertex, in the order of the bytes, whose x or y is not finite. */
  first_non_finite_vertex: number | null;
  /** Every coordinate in the order of the bytes: x, y[, z][, m] per vertex, at the stride of its part. */
  coords: Float64Array;
  /** See `parts-table.ts`. */
  parts: Int32Array;
  /** Row whose vertices are only the readable beginning of what the bytes declare, or null. */
  cut_part: number | null;
}

/** Whether the bytes are one well-formed geometry, whatever its coordinates are worth. */
export function isStructurallySound(reading: WkbReading): boolean {
  return reading.error === null && reading.trailing_bytes === 0 && !reading.finding_counts.unknown_type;
}
