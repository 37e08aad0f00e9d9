import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Depth } from '@/lib/contract/health';

/** Entries not resolved, by queue, task, class and state. Counted per combo first: the narrow table is read once. */
export async function depthNow(db: Db | Tx): Promise<Omit<Depth, 'depth'>> {
  const { rows } = await db.execute<Omit<Depth, 'depth'>>(sql`
    select dlq.iso(clock_timestamp()) as as_of, coalesce(json_agg(json_build_object(
        'queue', x.queue, 'task_name', x.task_name, 'failure_class', x.failure_class, 'state', x.state,
        'count', x.count, 'oldest_failed_at', dlq.iso(x.oldest))
      order by x.queue, x.task_name, x.failure_class, x.state), '[]'::json) as by
    from (
      select c.queue, c.task_name, c.failure_class, s.state, sum(s.n)::integer as count, min(s.oldest) as oldest
      from (
        select combo, state, count(*) as n, min(failed_at) as oldest
        from dlq.state where state <> 'resolved' group by combo, state
      ) s join dlq.combo c on c.id = s.combo
      group by c.queue, c.task_name, c.failure_class, s.state
    ) x`);
  const row = rows[0];
  if (!row) throw new Error('the depth query returned no row');
  return row;
}
