import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Records that an entry could not be diagnosed, with the database's words, so that it does not wait for ever. */
export async function giveUpDiagnosis(db: Db, entry_id: string, error: string): Promise<void> {
  await db.execute(sql`
    with given_up as (
      update dlq.diagnosis d set payload_hash = e.payload_hash, unmappable_reason = 'unreadable', reproject_error = ${error}::text,
        footprint = null, outline = null, tries = 0, diagnosed_at = clock_timestamp()
      from dlq.entry e where d.entry_id = ${entry_id}::bigint and e.id = d.entry_id
      returning d.entry_id
    )
    update dlq.state s set cell = null, public_cell = null, tile_distance_m = null,
      combo = dlq.combo_of(e.queue, e.failure_class, e.error_class, e.task_name, o.src_crs, o.srid, e.code_version, e.signature,
        o.crs_verdict, 'unreadable', e.sensitive)
    from given_up g join dlq.entry e on e.id = g.entry_id, dlq.combo o
    where s.entry_id = g.entry_id and o.id = s.combo`);
}
