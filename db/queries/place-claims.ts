import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface PlaceInput {
  entry_id: string;
  payload_hash: Buffer;
  /** The claim: a number of spatial_ref_sys, else a text for PROJ; both null where there is none to be placed by. */
  source_srid: number | null;
  source_text: string | null;
  /** x1, y1, x2, y2 … in source units, finite. */
  points: number[];
  /** False where the vertices are not all finite: GEOS may read memory that is not there. */
  may_be_validated: boolean;
}

export interface PlacedRow extends Record<string, unknown> {
  entry_id: string;
  /** The number in spatial_ref_sys by which PROJ knows the claim, or null. */
  known_srid: number | null;
  /** What is given to PROJ where there is no such number. */
  known_text: string | null;
  /** Why PROJ cannot read the claim, in its words. */
  claim_error: string | null;
  /** Degrees; null for a point that has no place. Null as a whole where there was nothing to place. */
  lons: (number | null)[] | null;
  lats: (number | null)[] | null;
  /** PROJ's words for the first point that failed. */
  place_error: string | null;
  /** PostGIS's words for bytes that it cannot read. */
  geom_error: string | null;
  /** ST_IsValidDetail: null where GEOS has no opinion. */
  valid: boolean | null;
  invalid_reason: string | null;
  invalid_x: number | null;
  invalid_y: number | null;
}

/**
 * What the database says of a batch before its diagnosis is judged: where its PROJ puts some points under the claim, and
 * the first fault that GEOS finds. `geom_wkb` is the geometry of the payloads in it that are kept by reference: of one at
 * most. A text is given to PROJ once a batch, whatever comes of it (35–200 ms each). In the order of the inputs.
 */
export async function placeClaims(
  tx: Tx,
  inputs: readonly PlaceInput[],
  geom_wkb: Uint8Array | null,
): Promise<PlacedRow[]> {
  const bytes = geom_wkb && Buffer.from(geom_wkb.buffer, geom_wkb.byteOffset, geom_wkb.byteLength);
  const column = <K extends keyof PlaceInput>(name: K) => sql.param(inputs.map((input) => input[name]));
  const points = inputs.map((input) => (input.points.length > 0 ? `{${input.points.join(',')}}` : null));
  const { rows } = await tx.execute<PlacedRow>(sql`
    with input as (
      select *, points_text::float8[] as points from unnest(
        ${column('entry_id')}::bigint[], ${column('payload_hash')}::bytea[], ${column('source_srid')}::integer[],
        ${column('source_text')}::text[], ${sql.param(points)}::text[], ${column('may_be_validated')}::boolean[]
      ) with ordinality as i (entry_id, payload_hash, source_srid, source_text, points_text, may_be_validated, n)
    ), listed as materialized (
      select t.source_text, min(r.srid) as srid
      from (select distinct source_text from input where source_srid is null and source_text is not null) t
      join spatial_ref_sys r on r.auth_name || ':' || r.auth_srid = upper(t.source_text)
      group by t.source_text
    ), named as materialized (
      -- a code that PostGIS does not list may still be one of PROJ's
      select i.*, coalesce(r.srid, l.srid) as known_srid,
        case when r.srid is null and l.srid is null then coalesce(i.source_text, 'EPSG:' || i.source_srid) end as known_text
      from input i
      left join spatial_ref_sys r on r.srid = i.source_srid
      left join listed l on l.source_text = i.source_text and i.source_srid is null
    ), texts as materialized (
      select t.known_text, dlq.crs_text_error(t.known_text) as error
      from (select distinct known_text from named where known_text is not null) t
    )
    select i.entry_id::text as entry_id, i.known_srid, i.known_text, x.error as claim_error, p.lons, p.lats, p.error as place_error,
      g.error as geom_error, v.valid, v.reason as invalid_reason, v.at_x as invalid_x, v.at_y as invalid_y
    from named i
    join dlq.payload l on l.entry_id = i.entry_id and l.payload_hash = i.payload_hash
    left join texts x on x.known_text = i.known_text
    cross join lateral (
      select coalesce(l.geom, b.geom) as geom, b.error
      from dlq.geometry_of(case when l.geom_wkb is null and l.payload_ref is not null then ${bytes}::bytea end) b offset 0
    ) g
    -- a join's condition is tested after its function has run: what must not be tried is given no points
    cross join lateral dlq.place_points(case when x.error is null and coalesce(i.known_srid::text, i.known_text) is not null then i.points end,
      i.known_srid, i.known_text) p
    cross join lateral dlq.validity(case when i.may_be_validated then g.geom end) v
    order by i.n`);
  return rows;
}
