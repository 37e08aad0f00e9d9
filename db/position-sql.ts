import { type SQL, sql } from 'drizzle-orm';
import { lonOnMap } from '@/lib/crs/sphere';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { cellAt, columnsBetween, rowsBetween, X_BITS, Y_BITS } from '@/lib/index/z-order';

/** The z-order cell that the role may see, or null, over the alias `s` (dlq.state). The one way to a position. */
export function positionFor(role: Role): SQL {
  return sql`dlq.position_for(${role}::text, s.cell, s.public_cell)`;
}

/** The bits of a cell that order it from west to east, and from north to south. */
export const xBits = (cell: SQL): SQL => sql`(${cell} & ${X_BITS.toString()}::bigint)`;
export const yBits = (cell: SQL): SQL => sql`(${cell} & ${Y_BITS.toString()}::bigint)`;

/**
 * Whether the centre of a cell lies in [west, south, east, north], in degrees, the edges included. West > east crosses
 * 180°; longitudes of a map that was turned around the world (east = 190) are brought back first.
 */
export function bboxCondition(position: SQL, bbox: readonly [number, number, number, number]): SQL {
  const [west, south, east, north] = bbox;
  if (east - west >= 360) return inside(position, -180, south, 180, north);
  const from = lonOnMap(west);
  const to = lonOnMap(east);
  if (from <= to) return inside(position, from, south, to, north);
  return sql`(${inside(position, from, south, 180, north)} or ${inside(position, -180, south, to, north)})`;
}

/**
 * Compared by masked bits: taking a cell apart in SQL costs several µs a row, a mask nothing. The z-order is monotone
 * in both axes, so the corner cells also bound a range, which an index can use.
 */
function inside(position: SQL, west: number, south: number, east: number, north: number): SQL {
  const [x0, x1] = columnsBetween(west, east);
  const [y0, y1] = rowsBetween(south, north);
  if (x0 > x1 || y0 > y1) return sql`false`;
  const first = cellAt(x0, y0);
  const last = cellAt(x1, y1);
  return sql`(${position} between ${`${first}`}::bigint and ${`${last}`}::bigint
    and ${xBits(position)} between ${`${first & X_BITS}`}::bigint and ${`${last & X_BITS}`}::bigint
    and ${yBits(position)} between ${`${first & Y_BITS}`}::bigint and ${`${last & Y_BITS}`}::bigint)`;
}
