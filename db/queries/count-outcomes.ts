import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';
import { itemOutcome, itemOutcomeJoins } from '../item-outcome-sql';

/** How many items of each operation have which outcome. */
export async function countOutcomes(
  db: Db | Tx,
  operation_ids: string[],
): Promise<{ operation_id: string; outcome: string; count: number }[]> {
  const { rows } = await db.execute<{ operation_id: string; outcome: string; count: number }>(sql`
    select i.operation_id, ${itemOutcome} as outcome, count(*)::integer as count
    from dlq.operation_item i ${itemOutcomeJoins}
    where i.operation_id = any (${sql.param(operation_ids)}::bigint[])
    group by 1, 2`);
  return rows;
}
