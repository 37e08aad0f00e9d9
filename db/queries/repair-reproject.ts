import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type RepairPlaceRow = {
  /** EWKB in EPSG:4326. */
  reprojected_wkb: Buffer | null;
  error: string | null;
  metres_per_unit: number | null;
};

export interface RepairPlace {
  source_srid: number | null;
  source_text: string | null;
  /** Where metres are measured, in source units, and over which distance. */
  x: number;
  y: number;
  step: number;
}

/** A repair in EPSG:4326 by the database's PROJ, and how many metres a unit of the source makes there. */
export async function repairReproject(tx: Tx, after_wkb: Uint8Array, place: RepairPlace): Promise<RepairPlaceRow> {
  const { source_srid, source_text, x, y, step } = place;
  const { rows } = await tx.execute<RepairPlaceRow>(sql`
    select ST_AsEWKB(r.placed, 'NDR') as reprojected_wkb, r.error,
      dlq.metres_per_unit(${x}::float8, ${y}::float8, ${step}::float8, s.srid, case when s.srid is null then ${source_text}::text end) as metres_per_unit
    from (select coalesce(${source_srid}::integer,
        (select r.srid from spatial_ref_sys r where r.auth_name || ':' || r.auth_srid = upper(${source_text}::text) limit 1)) as srid) s
    cross join lateral dlq.reprojected_repair(encode(${Buffer.from(after_wkb)}::bytea, 'hex')::geometry, s.srid,
      case when s.srid is null then ${source_text}::text end) r`);
  return rows[0] as RepairPlaceRow;
}
