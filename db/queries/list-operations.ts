import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { type OperationRow, operationColumns } from './get-operation';

/** The operations that were started, newest first, before the id `before`; `state` narrows them to one state. */
export async function listOperationRows(
  db: Db,
  { before, state, limit }: { before: string | null; state: string | null; limit: number },
): Promise<OperationRow[]> {
  const { rows } = await db.execute<OperationRow>(sql`
    select ${operationColumns} from dlq.operation o
    where o.state <> 'previewed' and (${before}::bigint is null or o.id < ${before}::bigint)
      and (${state}::text is null or o.state = ${state}::text)
    order by o.id desc
    limit ${limit}::integer`);
  return rows;
}
