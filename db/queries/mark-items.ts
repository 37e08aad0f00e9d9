import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Records what was done with waiting items: applied, or sent under an attempt. */
export async function markItems(
  tx: Tx,
  operation_id: string,
  items: { entry_id: string; outcome: 'applied' | 'sent'; attempt_id: string | null }[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(sql`
    update dlq.operation_item i set outcome = x.outcome, attempt_id = x.attempt_id, done_at = clock_timestamp()
    from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[], ${sql.param(items.map((item) => item.outcome))}::text[],
      ${sql.param(items.map((item) => item.attempt_id))}::uuid[]) as x (entry_id, outcome, attempt_id)
    where i.operation_id = ${operation_id}::bigint and i.entry_id = x.entry_id and i.outcome = 'waiting'`);
}
