import { sql } from 'drizzle-orm';
import type { OperationItem } from '@/lib/contract/operation';
import type { Db } from '../client';
import { itemOutcome, itemOutcomeJoins } from '../item-outcome-sql';

/** What became of each member, in id order after `after`; `outcome` narrows it to one. */
export async function listOperationItems(
  db: Db,
  input: { operation_id: string; outcome: string | null; after: string; limit: number },
): Promise<OperationItem[]> {
  const { rows } = await db.execute<OperationItem & Record<string, unknown>>(sql`
    select i.entry_id, e.work_key, e.task_name, ${itemOutcome} as outcome,
      coalesce(r.answer, nullif(concat_ws(': ', i.skip_reason, i.detail), '')) as detail, i.attempt_id,
      round(extract(epoch from coalesce(r.ended_at, r.acked_at) - r.sent_at) * 1000)::integer as took_ms,
      dlq.iso(coalesce(r.ended_at, r.acked_at, r.sent_at, i.done_at)) as done_at
    from dlq.operation_item i
    join dlq.entry e on e.id = i.entry_id
    ${itemOutcomeJoins}
    where i.operation_id = ${input.operation_id}::bigint and i.entry_id > ${input.after}::bigint
      and (${input.outcome}::text is null or ${itemOutcome} = ${input.outcome}::text)
    order by i.entry_id
    limit ${input.limit}::integer`);
  return rows;
}
