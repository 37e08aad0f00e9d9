import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Writes the number of eligible items down on the operation: the count that is typed back. */
export async function countEligible(tx: Tx, operation_id: string): Promise<void> {
  await tx.execute(sql`
    update dlq.operation o set eligible = (
      select count(*) from dlq.operation_item i where i.operation_id = o.id and i.outcome = 'waiting')
    where o.id = ${operation_id}::bigint`);
}
