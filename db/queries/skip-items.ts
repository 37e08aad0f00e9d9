import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface SkippedItem {
  entry_id: string;
  reason: string;
  detail: string | null;
}

/** Leaves waiting items out of an operation, each with its reason. */
export async function skipItems(tx: Tx, operation_id: string, items: SkippedItem[]): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(sql`
    update dlq.operation_item i set outcome = 'skipped', skip_reason = x.reason, detail = x.detail, done_at = clock_timestamp()
    from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[], ${sql.param(items.map((item) => item.reason))}::text[],
      ${sql.param(items.map((item) => item.detail))}::text[]) as x (entry_id, reason, detail)
    where i.operation_id = ${operation_id}::bigint and i.entry_id = x.entry_id and i.outcome = 'waiting'`);
}
