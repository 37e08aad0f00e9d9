import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/**
 * What an operation leaves out, by reason, most first. The time in a detail (`by ann at …`) is left to the item: it would
 * make a reason of every entry that somebody else was faster with.
 */
export async function skippedByReason(
  db: Db | Tx,
  operation_id: string,
): Promise<{ reason: string; detail: string | null; count: number }[]> {
  const { rows } = await db.execute<{ reason: string; detail: string | null; count: number }>(sql`
    select i.skip_reason as reason, d.detail, count(*)::integer as count
    from dlq.operation_item i
    cross join lateral (select regexp_replace(i.detail, ' at [0-9-]+T[0-9:.]+Z$', '') as detail) d
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'skipped'
    group by 1, 2
    order by 3 desc, 1, 2
    limit 100`);
  return rows;
}
