import { type SQL, sql } from 'drizzle-orm';
import type { Run } from '@/lib/contract/run';
import type { Db, Tx } from '../client';

export type RunRow = Run & Record<string, unknown>;

/** Of `dlq.run r`, beside RUN_DEAD_LETTERS. */
export const RUN_COLUMNS: SQL = sql`r.queue, r.run_id, r.task_name, r.code_version, r.status, dlq.iso(r.started_at) as started_at,
  dlq.iso(r.finished_at) as finished_at,
  coalesce(r.duration_ms, case when r.finished_at is not null
    then greatest(0, extract(epoch from r.finished_at - r.started_at) * 1000)::double precision end) as duration_ms,
  r.expected::double precision, nullif(r.expected_tiles, 0)::double precision as tiles, r.succeeded::double precision,
  r.dead_lettered::double precision, d.dead_letters::double precision,
  (r.expected - coalesce(r.succeeded, 0) - coalesce(r.dead_lettered, d.dead_letters))::double precision as missing,
  dlq.iso(r.updated_at) as updated_at, r.reported_by`;

/** Entries whose occurrences carry the run's id: a run's name alone can be that of other queues and tasks too. */
export const RUN_DEAD_LETTERS: SQL = sql`lateral (
    select count(*) as dead_letters
    from (select distinct o.entry_id from dlq.occurrence o where o.run_id = r.run_id) o
    join dlq.entry e on e.id = o.entry_id
    where e.queue = r.queue and e.task_name = r.task_name) d`;

export interface RunName {
  run_id: string;
  queue: string | null;
  task_name: string | null;
}

/** The runs of this id, at most a hundred; queue and task narrow them down. Locks nothing. */
export async function getRunRows(db: Db | Tx, { run_id, queue, task_name }: RunName): Promise<RunRow[]> {
  const { rows } = await db.execute<RunRow>(sql`
    select ${RUN_COLUMNS} from dlq.run r, ${RUN_DEAD_LETTERS}
    where r.run_id = ${run_id}::text and (${queue}::text is null or r.queue = ${queue}::text)
      and (${task_name}::text is null or r.task_name = ${task_name}::text)
    order by r.queue, r.task_name
    limit 100`);
  return rows;
}
