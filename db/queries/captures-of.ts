import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Capture } from '@/lib/contract/capture';

type Verbatim =
  | 'queue'
  | 'task_name'
  | 'task_id'
  | 'geom_hash'
  | 'srid'
  | 'tile_z'
  | 'tile_x'
  | 'tile_y'
  | 'tile_matrix_set'
  | 'source_uris'
  | 'source_window'
  | 'nodata'
  | 'target_crs'
  | 'payload_ref'
  | 'failure_class'
  | 'error_class'
  | 'error_type'
  | 'error_text'
  | 'traceback'
  | 'code_version'
  | 'run_id'
  | 'sensitive';

/** An entry as the capture that stands: its current payload, its newest error, and the id under which that was counted. */
export interface CaptureRow extends Pick<Capture, Verbatim>, Record<string, unknown> {
  id: string;
  capture_id: string | null;
  work_key: string;
  src_crs: string | null;
  failed_at: string;
  geom_wkb: Buffer | null;
  geom_given: string | null;
  geom_format: 'wkb' | 'wkt' | 'geojson' | null;
  /** jsonb's own text, every number with its digits. */
  params_text: string | null;
  /** The JSON text as given, where jsonb could not hold it. */
  params_raw: Buffer | null;
}

/** By id, whole: what they hold together is the caller's to bound. `work_key` is the writer's, `failure_class` what it claimed. */
export async function capturesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, CaptureRow>> {
  const { rows } = await db.execute<CaptureRow>(sql`
    select e.id::text as id, o.capture_id::text as capture_id, e.queue, e.idempotency_key as work_key, e.task_name, e.task_id, e.geom_hash,
      p.geom_wkb, p.geom_given, p.geom_format, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y, p.tile_matrix_set, p.source_uris,
      p.source_window, p.nodata, p.target_crs, p.params::text as params_text, p.params_raw, p.payload_ref,
      e.failure_class_claimed as failure_class, e.error_class, e.error_type, e.error_text, e.traceback, e.code_version, e.run_id,
      dlq.iso(e.failed_at) as failed_at, e.sensitive
    from dlq.entry e
    left join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join lateral (
      select x.capture_id from dlq.occurrence x
      where x.entry_id = e.id
      order by x.payload_hash = e.payload_hash desc, x.failed_at = e.failed_at desc, x.received_at desc, x.capture_id
      limit 1
    ) o on true
    where e.id = any (${sql.param([...ids])}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
