import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface ClaimItem {
  entry_id: string;
  /** The version that the asker saw. */
  version: string;
  attempt_id: string;
}

export type ClaimedRow = { entry_id: string; attempt_id: string; version: string; worker_deaths: number };

/**
 * Claims entries for a redrive, each under a new attempt, with a lease of `lease_ms`; `items` name an entry once.
 * Locks the state rows in id order and waits for them. A lost race is an id that is missing from the answer: its version
 * is another, it is not open, at its cap, to be abandoned, or its task names no target. An entry in doubt is claimed
 * where its task's target does not run one key twice; its old redrive ends as unknown.
 */
export async function claim(
  db: Db | Tx,
  items: readonly ClaimItem[],
  { worker, operation_id, lease_ms }: { worker: string; operation_id: string | null; lease_ms: number },
): Promise<ClaimedRow[]> {
  const column = (name: keyof ClaimItem): SQL => sql`${sql.param(items.map((item) => item[name]))}`;
  const { rows } = await db.execute<ClaimedRow>(sql`
    with wanted as (
      select * from unnest(${column('entry_id')}::bigint[], ${column('version')}::bigint[], ${column('attempt_id')}::uuid[])
        as w (entry_id, version, attempt_id)
    ), locked as (
      select s.entry_id, w.attempt_id, e.payload_hash, e.idempotency_key, t.target
      from wanted w
      join dlq.state s on s.entry_id = w.entry_id
      join dlq.entry e on e.id = s.entry_id
      join dlq.task t on t.task_name = e.task_name
      where s.version = w.version
        and (s.state = 'open' or (s.state = 'in_doubt' and t.idempotent))
        and s.redrive_attempts < s.max_redrives
        and not s.cancel_requested
        and t.target is not null
      order by s.entry_id
      for update of s
    ), ended as (
      update dlq.redrive r set ended_at = clock_timestamp(), outcome = 'unknown'
      from locked l where r.entry_id = l.entry_id and r.ended_at is null
      returning r.id
    ), started as (
      -- counting what ended makes it end first: one redrive of an entry is alive at any time
      insert into dlq.redrive (id, entry_id, operation_id, payload_hash, idempotency_key, target, worker)
      select l.attempt_id, l.entry_id, ${operation_id}::bigint, l.payload_hash, l.idempotency_key, l.target, ${worker}::text
      from locked l where (select count(*) from ended) is not null
      returning entry_id
    ), moved as (
      update dlq.state s set
        state = 'redriving',
        attempt_id = l.attempt_id,
        lease_until = clock_timestamp() + ${lease_ms}::double precision * interval '1 millisecond',
        version = s.version + 1
      from locked l where s.entry_id = l.entry_id
      returning s.entry_id, s.attempt_id, s.version, s.worker_deaths
    )
    select m.entry_id::text, m.attempt_id::text, m.version::text, m.worker_deaths
    from moved m join started using (entry_id) order by m.entry_id`);
  return rows;
}
