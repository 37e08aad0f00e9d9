import { type SQL, sql } from 'drizzle-orm';
import type { LonLat } from '@/lib/contract/area-polygon';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { placeAreas } from '@/lib/places/place-areas';
import { type EntrySet, entriesWhereFootprint } from './of-entry';
import { anyOf } from './set-values';

/** Entries whose footprint touches the area inside the ring. */
export function entriesInPolygon(ring: readonly LonLat[], role: Role): EntrySet {
  const lons = sql.param(ring.map(([lon]) => lon));
  const lats = sql.param(ring.map(([, lat]) => lat));
  return touchesAny(role, [sql`dlq.area_of_ring(${lons}::float8[], ${lats}::float8[])`]);
}

/** Entries whose footprint touches any of the places. @throws FilterError for a code that no place has. */
export function entriesInPlaces(codes: readonly string[], role: Role): EntrySet {
  return touchesAny(
    role,
    placeAreas(codes).map((twkb) => sql`dlq.area_of_place(${twkb}::bytea)`),
  );
}

/** The box first, by its index; `dlq.touches` bounds what GEOS is given and never raises. */
function touchesAny(role: Role, areas: readonly SQL[]): EntrySet {
  const touched = areas.map((area) => sql`(d.footprint && ${area} and dlq.touches(d.footprint, ${area}, d.valid))`);
  return entriesWhereFootprint(role, sql`d.footprint is not null and d.diagnosed_at is not null and ${anyOf(touched)}`);
}
