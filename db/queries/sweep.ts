import { sql } from 'drizzle-orm';
import { MAX_WORKER_DEATHS } from '@/lib/dead-letter/entry-model';
import type { State } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';

/** `unsent`: a lease ran out before the send. `unanswered`: after it. `unconfirmed`: accepted, and no outcome for too long. */
export type SweepKind = 'unsent' | 'unanswered' | 'unconfirmed';

export type SweptRow = { entry_id: string; attempt_id: string; state: State; worker_deaths: number };

/**
 * Takes up to `limit` redrives of a kind out of flight. Unsent ones are open again (quarantined after too many dead workers,
 * abandoned where that was asked for) and burn nothing; the others are in doubt: an expired lease says nothing about
 * what the target did. `confirm_ms` is the time that an accepted redrive has to be answered.
 * Locks state and redrive rows in id order, skipping locked ones: whoever holds one is settling it. Nothing to lose.
 */
export async function sweep(
  db: Db | Tx,
  { kind, confirm_ms, limit = 1000 }: { kind: SweepKind; confirm_ms: number; limit?: number },
): Promise<SweptRow[]> {
  const due =
    kind === 'unconfirmed'
      ? sql`s.state = 'redriven' and s.attempt_id is not null and s.redriven_at <= clock_timestamp() - ${confirm_ms}::double precision * interval '1 millisecond'`
      : sql`s.state = 'redriving' and s.lease_until <= clock_timestamp() and (r.sent_at is null) = ${kind === 'unsent'}::boolean`;
  const { rows } = await db.execute<SweptRow>(sql`
    with due as (
      select s.entry_id, s.attempt_id, ${kind === 'unsent'}::boolean as unsent, s.cancel_requested
      from dlq.state s join dlq.redrive r on r.id = s.attempt_id
      where ${due}
      order by s.entry_id
      limit ${limit}::integer
      for update of s, r skip locked
    ), ended as (
      update dlq.redrive r set ended_at = clock_timestamp(), outcome = case when d.cancel_requested then 'cancelled' else 'never_sent' end
      from due d where d.unsent and r.id = d.attempt_id
      returning r.id
    )
    update dlq.state s set
      state = case
        when not d.unsent then 'in_doubt'
        when d.cancel_requested then 'resolved'
        when s.worker_deaths + 1 >= ${MAX_WORKER_DEATHS}::integer then 'quarantined'
        else 'open' end,
      resolution = case when d.unsent and d.cancel_requested then 'abandoned' end,
      resolution_reason = case when d.cancel_requested then coalesce(s.resolution_reason, 'abandoned while in flight') end,
      resolved_at = case when d.unsent and d.cancel_requested then clock_timestamp() end,
      attempt_id = case when not d.unsent then s.attempt_id end,
      lease_until = null,
      cancel_requested = s.cancel_requested and not d.unsent,
      worker_deaths = s.worker_deaths + d.unsent::integer,
      version = s.version + 1
    from due d where s.entry_id = d.entry_id
    returning s.entry_id::text, d.attempt_id::text, s.state, s.worker_deaths`);
  return rows;
}
