import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface AttemptItem {
  entry_id: string;
  attempt_id: string;
}

export type IntendedRow = { entry_id: string; attempt_id: string; version: string; redrive_attempts: number };

/**
 * Records that these attempts are about to be sent; to be committed before the first byte goes out. One intent is at most
 * one send: `sent_at` is set once, the redrive is counted, and the lease becomes the time the send may take (`need_ms`).
 * Locks the state and redrive rows in id order and waits for them. A lost race is an attempt that is missing from the
 * answer: it is not the living one, was intended before, has too little lease left, or is to be abandoned.
 */
export async function intend(db: Db | Tx, items: readonly AttemptItem[], need_ms: number): Promise<IntendedRow[]> {
  const need = sql`${need_ms}::double precision * interval '1 millisecond'`;
  const { rows } = await db.execute<IntendedRow>(sql`
    with locked as (
      select s.entry_id, r.id as attempt_id
      from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[],
        ${sql.param(items.map((item) => item.attempt_id))}::uuid[]) as w (entry_id, attempt_id)
      join dlq.state s on s.entry_id = w.entry_id
      join dlq.redrive r on r.id = w.attempt_id
      where s.state = 'redriving'
        and s.attempt_id = w.attempt_id
        and s.lease_until > clock_timestamp() + ${need}
        and not s.cancel_requested
        and s.redrive_attempts < s.max_redrives
        and r.sent_at is null
        and r.ended_at is null
      order by s.entry_id
      for update of s, r
    ), sent as (
      update dlq.redrive r set sent_at = clock_timestamp() from locked l where r.id = l.attempt_id
      returning r.id
    ), moved as (
      update dlq.state s set
        redrive_attempts = s.redrive_attempts + 1,
        redrive_total = s.redrive_total + 1,
        worker_deaths = 0,
        lease_until = clock_timestamp() + ${need},
        version = s.version + 1
      from locked l where s.entry_id = l.entry_id
      returning s.entry_id, s.attempt_id, s.version, s.redrive_attempts
    )
    select m.entry_id::text, m.attempt_id::text, m.version::text, m.redrive_attempts
    from moved m join sent on sent.id = m.attempt_id order by m.entry_id`);
  return rows;
}
