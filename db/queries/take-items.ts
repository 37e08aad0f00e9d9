import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface TakenItem {
  [column: string]: unknown;
  entry_id: string;
  version: string;
}

/** The next waiting items of an operation. The lease on the operation makes this worker the only one to ask. */
export async function takeItems(db: Db, operation_id: string, limit: number): Promise<TakenItem[]> {
  const { rows } = await db.execute<TakenItem>(sql`
    select i.entry_id, i.version from dlq.operation_item i
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'waiting'
    order by i.entry_id
    limit ${limit}::integer`);
  return rows;
}

/**
 * Those of these entries that still wait in the operation, locked until the transaction ends: a cancel comes before them
 * and takes them out, or waits and finds them done.
 */
export async function holdWaiting(tx: Tx, operation_id: string, entry_ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ entry_id: string }>(sql`
    select i.entry_id from dlq.operation_item i
    where i.operation_id = ${operation_id}::bigint and i.entry_id = any (${sql.param(entry_ids)}::bigint[]) and i.outcome = 'waiting'
    order by i.entry_id
    for update`);
  return new Set(rows.map((row) => row.entry_id));
}
