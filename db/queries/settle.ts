import { type SQL, sql } from 'drizzle-orm';
import type { Settlement } from '@/lib/dead-letter/redrive-transitions';
import type { Resolution, State } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';

export interface SettleItem {
  entry_id: string;
  attempt_id: string;
  outcome: Settlement;
  /** What the target said, or what went wrong. */
  answer: string | null;
}

export type SettledRow = {
  entry_id: string;
  attempt_id: string;
  state: State;
  resolution: Resolution | null;
  version: string;
};

/**
 * Records what became of attempts; an entry is named once. A success with a failure heard of since the send is no success;
 * a rejection or failure at the cap abandons, as does any end but a success where that was asked for; `never_sent` takes
 * the intent back. Fenced by the attempt, not by the version: captures may count meanwhile.
 * Locks the state and redrive rows in id order and waits for them. A lost race is an attempt that is missing from the
 * answer: it is no longer the living one, or its state does not take this outcome.
 */
export async function settle(db: Db | Tx, items: readonly SettleItem[]): Promise<SettledRow[]> {
  const column = (name: keyof SettleItem): SQL => sql`${sql.param(items.map((item) => item[name]))}`;
  const { rows } = await db.execute<SettledRow>(sql`
    with locked as (
      select s.entry_id, w.attempt_id, w.outcome, w.answer, s.cancel_requested, r.sent_at is not null as sent,
        w.outcome in ('rejected', 'failed') and s.redrive_attempts >= s.max_redrives as at_cap,
        w.outcome = 'succeeded' and not exists (
          select 1 from dlq.occurrence o where o.entry_id = s.entry_id and o.received_at > r.sent_at
            and r.sent_at < o.failed_at + interval '1 minute') as fixed
      from unnest(${column('entry_id')}::bigint[], ${column('attempt_id')}::uuid[], ${column('outcome')}::text[],
        ${column('answer')}::text[]) as w (entry_id, attempt_id, outcome, answer)
      join dlq.state s on s.entry_id = w.entry_id
      join dlq.redrive r on r.id = w.attempt_id
      where s.attempt_id = w.attempt_id
        and (r.sent_at is not null or w.outcome = 'never_sent')
        and case w.outcome
          when 'accepted' then s.state in ('redriving', 'in_doubt')
          when 'unknown' then s.state in ('redriving', 'redriven')
          when 'succeeded' then s.state in ('redriving', 'redriven', 'in_doubt')
          when 'failed' then s.state in ('redriving', 'redriven', 'in_doubt')
          when 'rejected' then s.state in ('redriving', 'in_doubt')
          when 'never_sent' then s.state in ('redriving', 'in_doubt') end
      order by s.entry_id
      for update of s, r
    ), decided as (
      select l.*, case
        when l.outcome = 'accepted' then 'redriven'
        when l.outcome = 'unknown' then 'in_doubt'
        when l.fixed or l.cancel_requested or l.at_cap then 'resolved'
        else 'open' end as to_state
      from locked l
    ), told as (
      update dlq.redrive r set
        acked_at = case when d.outcome = 'accepted' then clock_timestamp() else r.acked_at end,
        sent_at = case when d.outcome = 'never_sent' then null else r.sent_at end,
        ended_at = case when d.outcome not in ('accepted', 'unknown') then clock_timestamp() end,
        outcome = case
          when d.outcome in ('accepted', 'unknown') then null
          when d.outcome = 'failed' then 'refailed'
          when d.outcome = 'never_sent' and d.cancel_requested then 'cancelled'
          else d.outcome end,
        answer = coalesce(d.answer, r.answer)
      from decided d where r.id = d.attempt_id
      returning r.id
    ), moved as (
      update dlq.state s set
        state = d.to_state,
        resolution = case when d.fixed then 'fixed' when d.to_state = 'resolved' then 'abandoned' end,
        resolution_reason = case
          when d.to_state in ('redriven', 'in_doubt') then s.resolution_reason
          when d.fixed or d.to_state = 'open' then null
          when d.cancel_requested then coalesce(s.resolution_reason, 'abandoned while in flight')
          else case d.outcome when 'failed' then 'failed again' else 'rejected' end || ' at the cap of ' || s.max_redrives || ' redrives' end,
        redriven_at = case when d.outcome = 'accepted' or (d.outcome = 'succeeded' and s.state <> 'redriven')
          then clock_timestamp() else s.redriven_at end,
        resolved_at = case when d.to_state = 'resolved' then clock_timestamp() end,
        redrive_attempts = s.redrive_attempts - (d.outcome = 'never_sent' and d.sent)::integer,
        redrive_total = s.redrive_total - (d.outcome = 'never_sent' and d.sent)::integer,
        attempt_id = case when d.to_state in ('redriven', 'in_doubt') then s.attempt_id end,
        lease_until = null,
        cancel_requested = s.cancel_requested and d.to_state in ('redriven', 'in_doubt'),
        version = s.version + 1
      from decided d where s.entry_id = d.entry_id
      returning s.entry_id, d.attempt_id, s.state, s.resolution, s.version
    )
    select m.entry_id::text, m.attempt_id::text, m.state, m.resolution, m.version::text
    from moved m join told on told.id = m.attempt_id order by m.entry_id`);
  return rows;
}
