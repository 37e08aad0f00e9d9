import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { allOf, conditionsOf, matching, needsEntry } from '@/db/filter-sql';
import { onTimeAxis } from '@/db/queries/fold-triage';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** The newest entries of the period that are read at most, whatever else the filter says. */
export const READ_ENTRIES = 100_000;
const SIGNATURES = 200;
const TASKS = 5;

export interface TrendRows extends Record<string, unknown> {
  as_of: string;
  /** Days since 1970 of the first and the last bin's day; null when nothing matches. */
  first_day: number | null;
  last_day: number | null;
  bin_days: number;
  /** Where the reading stopped, or null where it reached the end. */
  counted_from: string | null;
  /** `counts` by the number of the bin; bins without a failure are left out. */
  items: {
    signature: string;
    counts: Record<string, number>;
    tasks: { task_name: string; count: number }[];
    task_count: number;
  }[];
}

/** Failures of the most frequent signatures per bin of whole days, at most `most_bins` of them, and their tasks. */
export async function signatureTrendRows(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  most_bins: number,
  most: number = READ_ENTRIES,
): Promise<TrendRows> {
  const conditions = conditionsOf(filter, role);
  const period = (['since', 'until'] as const).flatMap((field) => conditions.get(field) ?? []);
  const until = conditions.has('until') ? sql`false` : sql`true`;
  const { rows } = await db.execute<TrendRows>(sql`
    with s as materialized (
      select s.* from dlq.state s where ${onTimeAxis(sql`s.failed_at`)} and ${allOf(period)}
      order by s.failed_at desc limit ${most}::integer
    ), read as (
      select case when count(*) >= ${most}::integer then min(failed_at) end as oldest from s
    ), hit as materialized (
      select c.signature, c.task_name, floor(date_part('epoch', s.failed_at) / 86400)::integer as day
      from s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${matching(filter, role)}
    ), days as (
      select min(day) as first_day,
        greatest(max(day), case when ${until} then floor(date_part('epoch', now()) / 86400)::integer end) as last_day
      from hit having count(*) > 0
    ), axis as (
      select first_day, last_day, ceil((last_day - first_day + 1) / ${most_bins}::float8)::integer as bin_days from days
    ), top as (
      select signature, count(*) as n from hit group by 1 order by 2 desc, 1 limit ${SIGNATURES}::integer
    ), binned as (
      select h.signature, (h.day - a.first_day) / a.bin_days as bin, count(*)::integer as n
      from hit h join top using (signature) cross join axis a group by 1, 2
    ), tasked as (
      select h.signature, h.task_name, count(*)::integer as n, count(*) over (partition by h.signature) as kinds,
        row_number() over (partition by h.signature order by count(*) desc, h.task_name) as place
      from hit h join top using (signature) group by 1, 2
    )
    select dlq.iso(now()) as as_of, (select first_day from axis), (select last_day from axis),
      coalesce((select bin_days from axis), 1) as bin_days, (select dlq.iso(oldest) from read) as counted_from,
      (select coalesce(jsonb_agg(jsonb_build_object('signature', t.signature, 'counts', b.counts, 'tasks', k.tasks, 'task_count', k.kinds)
          order by t.n desc, t.signature), '[]')
        from top t
        join (select signature, jsonb_object_agg(bin::text, n) as counts from binned group by 1) b using (signature)
        join (select signature, max(kinds) as kinds,
            jsonb_agg(jsonb_build_object('task_name', task_name, 'count', n) order by place) as tasks
          from tasked where place <= ${TASKS}::integer group by 1) k using (signature)) as items`);
  const answer = rows[0];
  if (!answer) throw new Error('a select without from always has a row');
  return answer;
}
