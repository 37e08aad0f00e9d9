import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '../lib/dead-letter/vocabulary';

/** The z-order cell that the role may see, or null, over the alias `s` (dlq.state). The one way to a position. */
export function positionFor(role: Role): SQL {
  return sql`dlq.position_for(${role}::text, s.cell, s.public_cell)`;
}

/**
 * Whether the centre of a cell lies in [west, south, east, north], in degrees, the edges included. West > east crosses
 * 180°; longitudes of a map that was turned around the world (east = 190) are brought back first.
 */
export function bboxCondition(position: SQL, bbox: readonly [number, number, number, number]): SQL {
  const [west, south, east, north] = bbox;
  if (south > north) return sql`false`;
  if (east - west >= 360) return inside(position, -180, south, 180, north);
  const from = wrapped(west);
  const to = wrapped(east);
  if (from <= to) return inside(position, from, south, to, north);
  return sql`(${inside(position, from, south, 180, north)} or ${inside(position, -180, south, to, north)})`;
}

/**
 * The z-order is monotone in both axes, so the cells of the two corners bound every cell between them: a range of the
 * index, which leaves the decoding (about 10 µs a row) to few rows when the box is small.
 */
function inside(position: SQL, west: number, south: number, east: number, north: number): SQL {
  const bottom = clampedLatitude(south);
  const top = clampedLatitude(north);
  return sql`(${position} between dlq.cell_of(${west}::float8, ${top}::float8) and dlq.cell_of(${east}::float8, ${bottom}::float8)
    and dlq.cell_lon(${position}) between ${west}::float8 and ${east}::float8
    and dlq.cell_lat(${position}) between ${south}::float8 and ${north}::float8)`;
}

function wrapped(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

function clampedLatitude(lat: number): number {
  return Math.max(-90, Math.min(90, lat));
}
