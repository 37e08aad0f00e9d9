import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface PayloadEdit {
  entry_id: string;
  /** Hex of the version that it starts from. */
  from_hash: string;
  /** New geometry bytes, inline or by reference; null where the geometry stays as it is. */
  geometry: { geom_wkb: Uint8Array; payload_ref: null } | { geom_wkb: null; payload_ref: string } | null;
  src_crs: string | null;
  srid: number | null;
  /** Who, by which change, with which software. */
  edited_by: string;
}

export type EditedRow = {
  /** Hex. */
  payload_hash: string;
  /** False where this very payload was there before, captured or edited. */
  added: boolean;
};

/**
 * Appends a version of a payload: the geometry or the claim is another one, all the rest is copied. It is read and hashed by
 * `dlq.proposed`, as a capture is, so that the same payload compares equal by whatever door it came.
 */
export async function editPayload(tx: Tx, edit: PayloadEdit): Promise<EditedRow> {
  const { geometry, src_crs, srid } = edit;
  const wkb = geometry?.geom_wkb ? Buffer.from(geometry.geom_wkb) : null;
  const is_new = geometry !== null;
  const { rows } = await tx.execute<EditedRow>(sql`
    with source as materialized (
      select o.*, case when ${is_new}::boolean then ${wkb}::bytea else o.geom_wkb end as new_wkb,
        jsonb_build_object('src_crs', ${src_crs}::text, 'srid', ${srid}::integer, 'tile_z', o.tile_z, 'tile_x', o.tile_x, 'tile_y', o.tile_y,
          'tile_matrix_set', o.tile_matrix_set, 'source_uris', o.source_uris, 'source_window', o.source_window, 'nodata', o.nodata,
          'target_crs', o.target_crs, 'params', o.params,
          'payload_ref', case when ${is_new}::boolean then ${geometry?.payload_ref ?? null}::text else o.payload_ref end,
          'geom_given', case when not ${is_new}::boolean then o.geom_given end,
          'geom_format', case when ${is_new}::boolean then 'wkb' else o.geom_format end,
          'geom_error', case when not ${is_new}::boolean then o.geom_error end)
        || case when o.params_raw is null then '{}' else jsonb_build_object('params_raw', encode(o.params_raw, 'base64')) end as p
      from dlq.payload o
      where o.entry_id = ${edit.entry_id}::bigint and o.payload_hash = decode(${edit.from_hash}::text, 'hex')
    ), read as materialized (
      select s.entry_id, s.params, s.params_raw, s.source_uris, r.*
      from source s
      cross join lateral (
        select q.payload_hash, q.geom, q.geom_wkb, q.geom_given, q.geom_format, q.geom_error, q.srid, q.src_crs, q.tile_z, q.tile_x, q.tile_y,
          q.tile_matrix_set, q.source_window, q.nodata, q.target_crs, q.payload_ref
        from dlq.proposed(s.p, s.new_wkb, null, gen_random_uuid(), clock_timestamp()) q
      ) r
    ), added as (
      insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, geom_given, geom_format, geom_error, srid, src_crs, tile_z, tile_x, tile_y,
          tile_matrix_set, source_uris, source_window, nodata, target_crs, params, params_raw, payload_ref, edited_by)
        select r.entry_id, r.payload_hash, r.geom, r.geom_wkb, r.geom_given, r.geom_format, r.geom_error, r.srid, r.src_crs, r.tile_z, r.tile_x,
          r.tile_y, r.tile_matrix_set, r.source_uris, r.source_window, r.nodata, r.target_crs, r.params, r.params_raw, r.payload_ref,
          ${edit.edited_by}::text
        from read r
        on conflict do nothing returning payload_hash
    )
    select encode(r.payload_hash, 'hex') as payload_hash, exists (select from added) as added from read r`);
  return rows[0] as EditedRow;
}
