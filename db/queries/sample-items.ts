import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** A few of the eligible members, to recognise the set by. */
export async function sampleItems(
  tx: Tx,
  operation_id: string,
): Promise<{ id: string; work_key: string; task_name: string }[]> {
  const { rows } = await tx.execute<{ id: string; work_key: string; task_name: string }>(sql`
    select e.id, e.work_key, e.task_name
    from dlq.operation_item i join dlq.entry e on e.id = i.entry_id
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'waiting'
    order by i.entry_id desc
    limit 10`);
  return rows;
}
