import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

/** The CRS to reproject from: a number of spatial_ref_sys, else a text for PROJ. */
export interface SourceCrs {
  source_srid: number | null;
  source_text: string | null;
}

export interface PlacedVertices extends Record<string, unknown> {
  /** Degrees, in the order given; null for a vertex that has no place. */
  lons: (number | null)[] | null;
  lats: (number | null)[] | null;
  /** What spatial_ref_sys has for proj4: with the shift of datum. */
  proj4text: string | null;
}

/** Where the database's PROJ puts vertices (x1, y1, x2, y2 …), and the definition that others could follow it by. Never fails for a CRS. */
export async function placeVertices(
  db: Db | Tx,
  points: readonly number[],
  { source_srid, source_text }: SourceCrs,
): Promise<PlacedVertices> {
  const { rows } = await db.execute<PlacedVertices>(sql`
    select p.lons, p.lats, r.proj4text
    from (select ${source_srid}::integer as srid, ${source_text}::text as text) c
    left join lateral (select srid, proj4text from spatial_ref_sys
      where srid = c.srid or (c.srid is null and auth_name || ':' || auth_srid = upper(c.text)) limit 1) r on true
    -- a text that PROJ cannot read costs 0.2 s each time it is tried: once, not once a vertex
    cross join lateral (select case when coalesce(c.srid, r.srid) is null then dlq.crs_text_error(c.text) end as error offset 0) t
    cross join lateral dlq.place_points(case when t.error is null then ${sql.param([...points])}::float8[] else '{}' end,
      coalesce(c.srid, r.srid), case when coalesce(c.srid, r.srid) is null then c.text end) p`);
  return rows[0] ?? { lons: null, lats: null, proj4text: null };
}
