import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** Which PostGIS and GEOS compute here, e.g. “PostGIS 3.3.2 GEOS 3.11.1”: part of a repair's provenance. */
export async function repairVersions(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ versions: string }>(sql`
    select 'PostGIS ' || split_part(postgis_lib_version(), ' ', 1) || ' GEOS ' || split_part(postgis_geos_version(), '-', 1) as versions`);
  return rows[0]?.versions ?? 'PostGIS';
}
