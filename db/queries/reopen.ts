import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';
import type { ChangedRow, SeenItem } from './abandon';

/**
 * Opens entries again, with all their redrives before them: out of quarantine, after a resolution, or out of doubt, where a
 * person says that the redrive did not happen (it ends as unknown).
 * Locks the state rows in id order and waits for them. A lost race is an id that is missing from the answer: its version is
 * another, it is open already, or it is in flight.
 */
export async function reopen(db: Db | Tx, items: readonly SeenItem[]): Promise<ChangedRow[]> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with locked as (
      select s.entry_id
      from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[],
        ${sql.param(items.map((item) => item.version))}::bigint[]) as w (entry_id, version)
      join dlq.state s on s.entry_id = w.entry_id
      where s.version = w.version and s.state in ('quarantined', 'resolved', 'in_doubt')
      order by s.entry_id
      for update of s
    ), ended as (
      update dlq.redrive r set ended_at = clock_timestamp(), outcome = 'unknown'
      from locked l where r.entry_id = l.entry_id and r.ended_at is null
      returning r.id
    )
    update dlq.state s set
      state = 'open',
      resolution = null,
      resolution_reason = null,
      resolved_at = null,
      redrive_attempts = 0,
      worker_deaths = 0,
      reopen_count = s.reopen_count + (s.state = 'resolved')::integer,
      attempt_id = null,
      cancel_requested = false,
      version = s.version + 1
    from locked l where s.entry_id = l.entry_id
    returning s.entry_id::text, s.state, s.cancel_requested, s.version::text`);
  return rows;
}
