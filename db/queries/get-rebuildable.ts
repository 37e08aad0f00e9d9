import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { RedriveRow } from '@/db/queries/load-redrives';

/** What a request of an entry's redrive is built from, but for its attempt. */
export interface RebuildableRow
  extends Omit<RedriveRow, 'attempt_id' | 'target' | 'code_versions' | 'params_schema' | 'takes_references'>,
    Record<string, unknown> {
  blob_bytes: number | null;
}

/** A geometry over `limit_bytes` is cut to its first 500 bytes with an ellipsis: enough to recognise it. */
export async function getRebuildable(
  db: Db | Tx,
  entry_id: string,
  limit_bytes: number,
): Promise<RebuildableRow | null> {
  const { rows } = await db.execute<RebuildableRow>(sql`
    select e.id::text as entry_id, e.idempotency_key, e.work_key, e.queue, e.task_name, e.task_id, e.code_version,
      case when octet_length(p.geom_wkb) <= ${limit_bytes}::integer then encode(p.geom_wkb, 'hex')
        else encode(substr(p.geom_wkb, 1, 500), 'hex') || '…' end as geom_wkb,
      p.geom_given, p.geom_format, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y, p.tile_matrix_set, p.source_uris,
      p.source_window::text as source_window, p.nodata, p.target_crs, p.params::text as params_jsonb, p.params_raw, p.payload_ref,
      encode(p.payload_hash, 'hex') as payload_hash, p.edited_by, b.size_bytes::float8 as blob_bytes
    from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join dlq.blob b on b.sha256 = dlq.blob_of(p.payload_ref) and b.stored_at is not null
    where e.id = ${entry_id}::bigint`);
  return rows[0] ?? null;
}
