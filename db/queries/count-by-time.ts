import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { onTimeAxis } from '@/db/queries/fold-triage';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface TimeCount extends Record<string, unknown> {
  /** Number of the bin, from 0. */
  bin: number;
  failure_class: string;
  count: number;
}

/** Failures per bin of `bin_s` seconds from `start_s` (seconds since 1970) on, by class; `since` and `until` do not narrow it. */
export async function countByTime(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  start_s: number,
  bin_s: number,
): Promise<TimeCount[]> {
  const { rows } = await db.execute<TimeCount>(sql`
    select floor((date_part('epoch', s.failed_at) - ${start_s}::float8) / ${bin_s}::float8)::integer as bin,
      c.failure_class, count(*)::integer as count
    from dlq.state s join dlq.combo c on c.id = s.combo
    ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
    where ${matching(filter, role, { without: ['since', 'until'] })} and ${onTimeAxis(sql`s.failed_at`)}
    group by 1, 2 order by 1, 2`);
  return rows;
}
