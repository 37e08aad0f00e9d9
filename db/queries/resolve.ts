import { sql } from 'drizzle-orm';
import type { Resolution } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';
import type { ChangedRow, SeenItem } from './abandon';

/**
 * Resolves entries by hand, with a reason. In doubt, `fixed` says that the redrive did happen, and ends it as succeeded.
 * Locks the state rows in id order and waits for them. A lost race is an id that is missing from the answer: its version is
 * another, it is resolved, or it is in flight.
 */
export async function resolve(
  db: Db | Tx,
  items: readonly SeenItem[],
  { resolution, reason }: { resolution: Exclude<Resolution, 'abandoned'>; reason: string },
): Promise<ChangedRow[]> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with locked as (
      select s.entry_id
      from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[],
        ${sql.param(items.map((item) => item.version))}::bigint[]) as w (entry_id, version)
      join dlq.state s on s.entry_id = w.entry_id
      where s.version = w.version and s.state in ('open', 'quarantined', 'in_doubt')
      order by s.entry_id
      for update of s
    ), ended as (
      update dlq.redrive r set ended_at = clock_timestamp(),
        outcome = case when ${resolution}::text = 'fixed' then 'succeeded' else 'unknown' end
      from locked l where r.entry_id = l.entry_id and r.ended_at is null
      returning r.id
    )
    update dlq.state s set
      state = 'resolved',
      resolution = ${resolution}::text,
      resolution_reason = ${reason}::text,
      resolved_at = clock_timestamp(),
      attempt_id = null,
      cancel_requested = false,
      version = s.version + 1
    from locked l where s.entry_id = l.entry_id
    returning s.entry_id::text, s.state, s.cancel_requested, s.version::text`);
  return rows;
}
