import { sql } from 'drizzle-orm';
import type { State } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';

export interface SeenItem {
  entry_id: string;
  /** The version that the asker saw. */
  version: string;
}

export type ChangedRow = { entry_id: string; state: State; cancel_requested: boolean; version: string };

/**
 * Resolves entries as abandoned. In flight that is only asked for (`cancel_requested`): unsent it will not be sent, sent
 * its outcome decides, and a late success wins. A redrive in doubt ends as unknown.
 * Locks the state rows in id order and waits for them. A lost race is an id that is missing from the answer: its version is
 * another, it is resolved, or it was asked for before.
 */
export async function abandon(db: Db | Tx, items: readonly SeenItem[], reason: string): Promise<ChangedRow[]> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with locked as (
      select s.entry_id, s.state in ('open', 'quarantined', 'in_doubt') as at_rest
      from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[],
        ${sql.param(items.map((item) => item.version))}::bigint[]) as w (entry_id, version)
      join dlq.state s on s.entry_id = w.entry_id
      where s.version = w.version
        and (s.state in ('open', 'quarantined', 'in_doubt') or (s.state in ('redriving', 'redriven') and not s.cancel_requested))
      order by s.entry_id
      for update of s
    ), ended as (
      update dlq.redrive r set ended_at = clock_timestamp(), outcome = 'unknown'
      from locked l where l.at_rest and r.entry_id = l.entry_id and r.ended_at is null
      returning r.id
    )
    update dlq.state s set
      state = case when l.at_rest then 'resolved' else s.state end,
      resolution = case when l.at_rest then 'abandoned' end,
      resolution_reason = ${reason}::text,
      resolved_at = case when l.at_rest then clock_timestamp() end,
      attempt_id = case when not l.at_rest then s.attempt_id end,
      cancel_requested = not l.at_rest,
      version = s.version + 1
    from locked l where s.entry_id = l.entry_id
    returning s.entry_id::text, s.state, s.cancel_requested, s.version::text`);
  return rows;
}
