import {
  GEOMETRY_TYPE_NAMES,
  isCurveType,
  LINE_STRING,
  POINT,
  POLYHEDRAL_SURFACE,
  RING,
  strideOf,
  TIN,
  TRIANGLE,
} from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PARENT, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';

/** Whether bytes can be handed to ST_MakeValid at all, and what it would leave out of them without a word. */
export type Repairable = { why_not: string } | { why_not: null; vertices_dropped: number };

/**
 * Read before PostGIS is asked: a ring without a point would be answered from uninitialised memory (3.3.2), infinity with
 * nothing, curves and surfaces with an error; a vertex that is no number is dropped in silence.
 */
export function whyNotRepair(reading: WkbReading): Repairable {
  const { parts, part_count, coords } = reading;
  if (reading.error) return { why_not: `its bytes cannot be read: ${reading.error.message}` };
  if (reading.trailing_bytes > 0)
    return { why_not: `${reading.trailing_bytes} bytes follow the geometry, and nothing says what they are` };
  let vertices_dropped = 0;
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    if (isCurveType(type) || type === POLYHEDRAL_SURFACE || type === TIN || type === TRIANGLE)
      return { why_not: `ST_MakeValid does not take a ${GEOMETRY_TYPE_NAMES[type]}` };
    if (type === RING && parts[at + COUNT] === 0)
      return { why_not: `${ringName(parts, row)} has no point; PostGIS would answer from uninitialised memory` };
    if (type !== RING && type !== POINT && type !== LINE_STRING) continue;
    const stride = strideOf(parts[at + DIMS] as number);
    const start = parts[at + START] as number;
    for (let i = 0; i < (parts[at + COUNT] as number); i++) {
      const x = coords[start + i * stride] as number;
      const y = coords[start + i * stride + 1] as number;
      if (Math.abs(x) === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY)
        return { why_not: 'a vertex is at infinity; ST_MakeValid answers nothing for such a geometry' };
      // POINT EMPTY is written as NaN NaN: nothing is lost with it
      if (type !== POINT && (Number.isNaN(x) || Number.isNaN(y))) vertices_dropped++;
    }
  }
  if (reading.is_empty) return { why_not: 'it is empty: there is nothing to repair' };
  return { why_not: null, vertices_dropped };
}

/** `ring 1 of part 0`, zero-based as the paths of faults. */
function ringName(parts: Int32Array, row: number): string {
  const parent = parts[row * PART_COLUMNS + PARENT] as number;
  const ring = row - parent - 1;
  const above = parent < 0 ? -1 : (parts[parent * PART_COLUMNS + PARENT] as number);
  if (above < 0) return `ring ${ring}`;
  let part = 0;
  for (let other = above + 1; other < parent; other++) if (parts[other * PART_COLUMNS + PARENT] === above) part++;
  return `ring ${ring} of part ${part}`;
}
