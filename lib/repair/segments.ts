import { LINE_STRING, POINT, RING, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';

/**
 * Every edge of a geometry as x0, y0, x1, y1, edges of one line or ring one after the other; a point is an edge without
 * length. `line` has the number of each edge's line. Vertices that are not finite end an edge. `rings_only` leaves out the rest.
 */
export interface Segments {
  coords: Float64Array;
  line: Int32Array;
  count: number;
}

export function segmentsOf({ parts, part_count, coords }: WkbReading, rings_only: boolean): Segments {
  let most = 0;
  for (let row = 0; row < part_count; row++) if (isDrawn(parts, row, rings_only)) most += countAt(parts, row);
  const out = { coords: new Float64Array(most * 4), line: new Int32Array(most), count: 0 };
  const add = (row: number, x0: number, y0: number, x1: number, y1: number) => {
    if (!Number.isFinite(x0 + y0 + x1 + y1)) return;
    out.coords.set([x0, y0, x1, y1], out.count * 4);
    out.line[out.count++] = row;
  };
  for (let row = 0; row < part_count; row++) {
    if (!isDrawn(parts, row, rings_only)) continue;
    const stride = strideOf(parts[row * PART_COLUMNS + DIMS] as number);
    const start = parts[row * PART_COLUMNS + START] as number;
    const count = countAt(parts, row);
    if (count === 1) add(row, ...at(coords, start), ...at(coords, start));
    for (let i = 1; i < count; i++)
      add(row, ...at(coords, start + (i - 1) * stride), ...at(coords, start + i * stride));
  }
  return out;
}

const countAt = (parts: Int32Array, row: number): number => parts[row * PART_COLUMNS + COUNT] as number;
const at = (coords: Float64Array, i: number): [number, number] => [coords[i] as number, coords[i + 1] as number];

function isDrawn(parts: Int32Array, row: number, rings_only: boolean): boolean {
  const type = parts[row * PART_COLUMNS + TYPE];
  return type === RING || (!rings_only && (type === LINE_STRING || type === POINT));
}
