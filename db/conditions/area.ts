import { type SQL, sql } from 'drizzle-orm';
import type { LonLat } from '@/lib/contract/area-polygon';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { placeAreas } from '@/lib/places/place-areas';
import { type EntrySet, entriesWhereFootprint } from './of-entry';
import { anyOf } from './set-values';

interface AreaOptions {
  role: Role;
  /** Whether no other set of entries narrows this one. */
  alone: boolean;
}

/** Entries whose footprint touches the area inside the ring. */
export function entriesInPolygon(ring: readonly LonLat[], options: AreaOptions): EntrySet {
  const lons = sql.param(ring.map(([lon]) => lon));
  const lats = sql.param(ring.map(([, lat]) => lat));
  return touching([sql`dlq.area_of_ring(${lons}::float8[], ${lats}::float8[])`], options);
}

/** Entries whose footprint touches any of the places. @throws FilterError for a code that no place has. */
export function entriesInPlaces(codes: readonly string[], options: AreaOptions): EntrySet {
  return touching(
    placeAreas(codes).map((twkb) => sql`dlq.area_of_place(${twkb}::bytea)`),
    options,
  );
}

/**
 * The box first, by its index; `dlq.touches` bounds what GEOS is given and never raises. Alone, each area leads in pieces
 * with boxes of their own: the box of the USA holds a third of the world (10 M entries: 3 s; with the one box over 60 s).
 */
function touching(areas: readonly SQL[], { role, alone }: AreaOptions): EntrySet {
  const is_made = sql`d.footprint is not null and d.diagnosed_at is not null`;
  const touched = (area: SQL) => sql`(d.footprint && ${area} and dlq.touches(d.footprint, ${area}, d.valid))`;
  if (!alone) return entriesWhereFootprint(role, sql`${is_made} and ${anyOf(areas.map(touched))}`);
  const pieces = sql.join(
    areas.map((area) => sql`select dlq.pieces_of(${area}) as piece`),
    sql` union all `,
  );
  const touches_one = entriesWhereFootprint(role, sql`${is_made} and ${touched(sql`a.piece`)}`, sql`(${pieces}) a,`);
  return sql`select distinct entry_id from (${touches_one}) t`;
}
