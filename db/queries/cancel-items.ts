import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Takes what waits out of a cancelled operation; those entries stay as they are. */
export async function cancelItems(tx: Tx, operation_id: string): Promise<void> {
  await tx.execute(sql`
    update dlq.operation_item set outcome = 'cancelled', done_at = clock_timestamp()
    where operation_id = ${operation_id}::bigint and outcome = 'waiting'`);
}
