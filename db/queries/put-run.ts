import { sql } from 'drizzle-orm';
import type { RunStatus } from '@/lib/contract/run';
import type { Tx } from '../client';

export interface RunReportRow {
  queue: string;
  run_id: string;
  task_name: string;
  code_version: string | null;
  status: RunStatus;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
  expected: number | null;
  succeeded: number | null;
  dead_lettered: number | null;
  reported_by: string;
}

/**
 * Takes one report into its run and gives the run's id; locks its row until the transaction ends. Whatever the order
 * in which reports come, the row is the same in the end: a status only rises (running, failed, finished), the earliest
 * start counts, counts under way take the greatest, and those of the highest status win over them.
 */
export async function putRun(tx: Tx, report: RunReportRow): Promise<string> {
  const ended = report.status !== 'running';
  const count = (value: number | null, when: boolean) => sql`${when ? value : null}::bigint`;
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into dlq.run as r (queue, run_id, task_name, code_version, status, given_started_at, finished_at, duration_ms,
      progress_expected, progress_succeeded, progress_dead_lettered, final_expected, final_succeeded, final_dead_lettered, reported_by)
    select ${report.queue}::text, ${report.run_id}::text, ${report.task_name}::text, ${report.code_version}::text, ${report.status}::text,
      g.started_at, case when ${ended}::boolean
        then coalesce(g.finished_at, g.started_at + g.duration_ms * interval '1 millisecond', clock_timestamp()) end, g.duration_ms,
      ${count(report.expected, !ended)}, ${count(report.succeeded, !ended)}, ${count(report.dead_lettered, !ended)},
      ${count(report.expected, ended)}, ${count(report.succeeded, ended)}, ${count(report.dead_lettered, ended)}, ${report.reported_by}::text
    from (select ${report.started_at}::timestamptz, ${report.finished_at}::timestamptz, ${report.duration_ms}::double precision)
      g (started_at, finished_at, duration_ms)
    on conflict (queue, run_id, task_name) do update set
      code_version = coalesce(${newer(sql`code_version`)}, r.code_version, excluded.code_version),
      status = case when ${rank(sql`excluded`)} > ${rank(sql`r`)} then excluded.status else r.status end,
      given_started_at = least(r.given_started_at, excluded.given_started_at),
      finished_at = case when ${rank(sql`excluded`)} > ${rank(sql`r`)} then excluded.finished_at
        -- the same report again without a moment of its own moves nothing
        when ${rank(sql`excluded`)} = ${rank(sql`r`)} then greatest(r.finished_at, ${report.finished_at}::timestamptz)
        else r.finished_at end,
      duration_ms = ${highest(sql`duration_ms`)},
      progress_expected = greatest(r.progress_expected, excluded.progress_expected),
      progress_succeeded = greatest(r.progress_succeeded, excluded.progress_succeeded),
      progress_dead_lettered = greatest(r.progress_dead_lettered, excluded.progress_dead_lettered),
      final_expected = ${highest(sql`final_expected`)},
      final_succeeded = ${highest(sql`final_succeeded`)},
      final_dead_lettered = ${highest(sql`final_dead_lettered`)},
      updated_at = clock_timestamp(),
      reported_by = excluded.reported_by
    returning r.id::text`);
  return rows[0]!.id;
}

const rank = (row: ReturnType<typeof sql>) =>
  sql`array_position(array['running', 'failed', 'finished'], ${row}.status)`;

const newer = (column: ReturnType<typeof sql>) =>
  sql`case when ${rank(sql`excluded`)} >= ${rank(sql`r`)} then excluded.${column} end`;

/** The value of the report with the higher status; of two with the same one the greatest. */
const highest = (column: ReturnType<typeof sql>) => sql`case
        when ${rank(sql`excluded`)} > ${rank(sql`r`)} then coalesce(excluded.${column}, r.${column})
        when ${rank(sql`excluded`)} = ${rank(sql`r`)} then greatest(r.${column}, excluded.${column})
        else coalesce(r.${column}, excluded.${column}) end`;
