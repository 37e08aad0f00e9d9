import { sql } from 'drizzle-orm';
import type { RunStatus } from '@/lib/contract/run';
import type { Db } from '../client';
import { RUN_COLUMNS, RUN_FAILURES, type RunRow } from './get-run';

export interface RunsInput {
  queue: string | null;
  task_name: string | null;
  status: RunStatus | null;
  /** Microseconds since 1970 of the last run's start, and its id. */
  after: { started_us: string; id: string } | null;
  limit: number;
}

export type ListedRunRow = RunRow & { id: string; started_us: string };

/** Runs, the latest started first. Locks nothing. */
export async function listRunRows(
  db: Db,
  { queue, task_name, status, after, limit }: RunsInput,
): Promise<ListedRunRow[]> {
  const { rows } = await db.execute<ListedRunRow>(sql`
    select r.id::text, (extract(epoch from r.started_at) * 1000000)::bigint::text as started_us, ${RUN_COLUMNS}
    from (
      select * from dlq.run x
      where (${queue}::text is null or x.queue = ${queue}::text)
        and (${task_name}::text is null or x.task_name = ${task_name}::text)
        and (${status}::text is null or x.status = ${status}::text)
        and (${after?.id ?? null}::bigint is null or (x.started_at, x.id) < (
          timestamptz 'epoch' + ${after?.started_us ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::bigint))
      order by x.started_at desc, x.id desc
      limit ${limit}::integer
    ) r, ${RUN_FAILURES}
    order by r.started_at desc, r.id desc`);
  return rows;
}
