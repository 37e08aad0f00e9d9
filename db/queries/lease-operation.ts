import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { type OperationRow, operationColumns } from './get-operation';

/** A worker that is silent for this long has died: another takes the operation over. */
const LEASE = '30 seconds';

/** Takes the running operation whose turn it is, oldest lease first; null when none is free. Skips locked ones. */
export async function leaseOperation(db: Db, worker: string): Promise<OperationRow | null> {
  const { rows } = await db.execute<OperationRow>(sql`
    with free as (
      select f.id from dlq.operation f
      where f.state = 'running' and (f.lease_until is null or f.lease_until < clock_timestamp() or f.worker = ${worker}::text)
      order by f.lease_until nulls first, f.id
      limit 1
      for update skip locked
    )
    update dlq.operation o set worker = ${worker}::text, lease_until = clock_timestamp() + ${LEASE}::interval
    from free where o.id = free.id
    returning ${operationColumns}`);
  return rows[0] ?? null;
}
