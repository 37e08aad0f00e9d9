import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Records that an entry could not be diagnosed, with the database's words, so that it does not wait for ever. */
export async function giveUpDiagnosis(db: Db, entry_id: string, ruleset: number, error: string): Promise<void> {
  await db.execute(sql`
    with locked as materialized (
      select e.* from dlq.entry e where e.id = ${entry_id}::bigint for no key update
    ), given_up as (
      update dlq.diagnosis d set payload_hash = l.payload_hash, unmappable_reason = 'unreadable', reproject_error = ${error}::text,
        footprint = null, outline = null, valid = null, faults = '[]', crs_verdict = null, also = '{}', crs_reason = null, candidates = '[]',
        suggestion = null, tries = 0, ruleset = ${ruleset}::smallint, diagnosed_at = clock_timestamp()
      from locked l where d.entry_id = l.id
      returning d.entry_id, d.crs_verdict
    )
    update dlq.state s set cell = null, public_cell = null, tile_distance_m = null,
      combo = dlq.combo_of(l.queue, l.failure_class, l.error_class, l.task_name, p.src_crs, p.srid, l.code_version, l.signature,
        g.crs_verdict, 'unreadable', l.sensitive)
    from given_up g
    join locked l on l.id = g.entry_id
    join dlq.payload p on p.entry_id = l.id and p.payload_hash = l.payload_hash
    where s.entry_id = g.entry_id`);
}
