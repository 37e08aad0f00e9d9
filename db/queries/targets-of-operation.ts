import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Where the eligible members would be sent, by task. */
export async function targetsOfOperation(
  tx: Tx,
  operation_id: string,
): Promise<{ task_name: string; target: string; count: number }[]> {
  const { rows } = await tx.execute<{ task_name: string; target: string; count: number }>(sql`
    select t.task_name, t.target, count(*)::integer as count
    from dlq.operation_item i
    join dlq.entry e on e.id = i.entry_id
    join dlq.task t on t.task_name = e.task_name
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'waiting' and t.target is not null
    group by t.task_name, t.target
    order by count(*) desc, t.task_name`);
  return rows;
}
