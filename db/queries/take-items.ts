import { sql } from 'drizzle-orm';
import type { Db } from '../client';

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
