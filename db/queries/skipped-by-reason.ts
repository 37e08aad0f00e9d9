import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** What an operation leaves out, by reason, most first. */
export async function skippedByReason(
  db: Db | Tx,
  operation_id: string,
): Promise<{ reason: string; detail: string | null; count: number }[]> {
  const { rows } = await db.execute<{ reason: string; detail: string | null; count: number }>(sql`
    select i.skip_reason as reason, i.detail, count(*)::integer as count
    from dlq.operation_item i
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'skipped'
    group by i.skip_reason, i.detail
    order by count(*) desc, i.skip_reason, i.detail
    limit 100`);
  return rows;
}
