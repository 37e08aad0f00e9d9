import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { type OperationRow, operationColumns } from './get-operation';

/** The operations that were started, newest first, before the id `before`. */
export async function listOperationRows(db: Db, before: string | null, limit: number): Promise<OperationRow[]> {
  const { rows } = await db.execute<OperationRow>(sql`
    select ${operationColumns} from dlq.operation o
    where o.state <> 'previewed' and (${before}::bigint is null or o.id < ${before}::bigint)
    order by o.id desc
    limit ${limit}::integer`);
  return rows;
}
