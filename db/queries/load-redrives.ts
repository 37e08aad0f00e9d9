import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** Everything that a redrive sends, and the manifest that says whether it may. Bytes as hex, jsonb as its own text. */
export type RedriveRow = {
  attempt_id: string;
  entry_id: string;
  idempotency_key: string;
  work_key: string;
  queue: string;
  task_name: string;
  task_id: string | null;
  code_version: string | null;
  geom_wkb: string | null;
  geom_given: string | null;
  geom_format: string | null;
  srid: number | null;
  src_crs: string | null;
  tile_z: number | null;
  tile_x: number | null;
  tile_y: number | null;
  tile_matrix_set: string | null;
  source_uris: string[] | null;
  source_window: string | null;
  nodata: string | null;
  target_crs: string | null;
  params_jsonb: string | null;
  params_raw: Buffer | null;
  payload_ref: string | null;
  payload_hash: string;
  /** Who made this version by which change; null where it is as captured. */
  edited_by: string | null;
  target: string;
  code_versions: string[] | null;
  params_schema: Record<string, unknown> | null;
  takes_references: boolean | null;
};

/**
 * The payloads that these attempts were claimed with, also where a later capture has made another one the current one.
 * Locks nothing. An attempt that does not exist is missing from the answer.
 */
export async function loadRedrives(db: Db | Tx, attempt_ids: readonly string[]): Promise<RedriveRow[]> {
  const { rows } = await db.execute<RedriveRow>(sql`
    select r.id::text as attempt_id, r.entry_id::text, r.idempotency_key, e.work_key, e.queue, e.task_name, e.task_id, e.code_version,
      encode(p.geom_wkb, 'hex') as geom_wkb, p.geom_given, p.geom_format, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y,
      p.tile_matrix_set, p.source_uris, p.source_window::text as source_window, p.nodata, p.target_crs,
      p.params::text as params_jsonb, p.params_raw, p.payload_ref, encode(p.payload_hash, 'hex') as payload_hash,
      p.edited_by, r.target, t.code_versions, t.params_schema, t.takes_references
    from dlq.redrive r
    join dlq.entry e on e.id = r.entry_id
    join dlq.payload p on p.entry_id = r.entry_id and p.payload_hash = r.payload_hash
    left join dlq.task t on t.task_name = e.task_name
    where r.id = any(${sql.param(attempt_ids)}::uuid[])
    order by r.entry_id`);
  return rows;
}
