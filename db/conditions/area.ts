import { type SQL, sql } from 'drizzle-orm';
import type { LonLat } from '@/lib/contract/area-polygon';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { placeAreas } from '@/lib/places/place-areas';
import { ofFootprint } from './of-entry';
import { anyOf } from './set-values';

/** Its footprint touches the area inside the ring. */
export function polygonCondition(ring: readonly LonLat[], role: Role): SQL {
  const lons = sql.param(ring.map(([lon]) => lon));
  const lats = sql.param(ring.map(([, lat]) => lat));
  return touchesAny(role, [sql`dlq.area_of_ring(${lons}::float8[], ${lats}::float8[])`]);
}

/** Its footprint touches any of the places. @throws FilterError for a code that no place has. */
export function placeCondition(codes: readonly string[], role: Role): SQL {
  return touchesAny(
    role,
    placeAreas(codes).map((twkb) => sql`dlq.area_of_place(${twkb}::bytea)`),
  );
}

/** The box first, by its index; `dlq.touches` bounds what GEOS is given and never raises. */
function touchesAny(role: Role, areas: readonly SQL[]): SQL {
  const touched = areas.map((area) => sql`(d.footprint && ${area} and dlq.touches(d.footprint, ${area}, d.valid))`);
  return ofFootprint(role, sql`d.footprint is not null and d.diagnosed_at is not null and ${anyOf(touched)}`);
}
