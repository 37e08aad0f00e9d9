import { GEOMETRY_TYPE_NAMES, HAS_M, HAS_Z } from './geometry-type';
import { inspectParts } from './inspect-parts';
import { PART_COLUMNS } from './parts-table';
import type { WkbReading } from './reading';
import { type ReadLimits, WkbWalk } from './walk-wkb';

export interface ReadOptions extends Partial<ReadLimits> {
  /** Listed findings of each code; the rest is only counted. */
  max_findings?: number;
}

export const READ_DEFAULTS = { max_vertices: 5_000_000, max_parts: 2_000_000, max_depth: 64, max_findings: 100 };
/** The walk recurses: a higher limit than this could overflow the stack. */
const MAX_DEPTH_CEILING = 256;

/**
 * Reads WKB, EWKB or ISO WKB of types 1–17 in any byte order. Never throws, whatever the bytes: what stops the reader
 * is `error`, and what lies before it is still in `coords` and `parts`. Closes, drops and reorders nothing.
 */
export function readWkb(bytes: Uint8Array, options: ReadOptions = {}): WkbReading {
  const settings = { ...READ_DEFAULTS, ...options };
  const limits = { ...settings, max_depth: Math.min(settings.max_depth, MAX_DEPTH_CEILING) };
  const count = new WkbWalk(bytes, limits, null);
  count.geometry(0, -1);
  const tables = {
    coords: new Float64Array(count.double_count),
    parts: new Int32Array(count.part_count * PART_COLUMNS),
  };
  const fill = new WkbWalk(bytes, limits, tables);
  fill.geometry(0, -1);

  const type_code = fill.type_code;
  const structure = {
    type_name: type_code === null ? null : (GEOMETRY_TYPE_NAMES[type_code] ?? null),
    type_code,
    has_z: (fill.dims & HAS_Z) !== 0,
    has_m: (fill.dims & HAS_M) !== 0,
    srid: fill.srid,
    byte_length: bytes.byteLength,
    trailing_bytes: fill.error ? 0 : bytes.byteLength - fill.offset,
    error: fill.error,
    part_count: fill.part_count,
    vertex_count: fill.vertex_count,
    is_empty: fill.error === null && fill.vertex_count === 0,
    coords: tables.coords,
    parts: tables.parts,
    cut_part: fill.cut_part,
  };
  return { ...structure, ...inspectParts(structure, settings.max_findings) };
}
