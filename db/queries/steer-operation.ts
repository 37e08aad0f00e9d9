import { sql } from 'drizzle-orm';
import type { OPERATION_STATES } from '@/lib/contract/operation';
import type { Db, Tx } from '../client';

type OperationState = (typeof OPERATION_STATES)[number];

/**
 * Moves an operation from one of the states `from` to `to`; null when it was in none of them: somebody was faster, or
 * it is over. `because` is shown beside a pause. To go on after a canary that did not hold is to go on without it.
 * A pause leaves the lease to its worker, which may be in the middle of a batch: were the operation resumed into other
 * hands at once, two would send the same items.
 */
export async function steerOperation(
  db: Db | Tx,
  input: { id: string; from: OperationState[]; to: OperationState; because: string | null },
): Promise<OperationState | null> {
  const { rows } = await db.execute<{ state: OperationState }>(sql`
    update dlq.operation set state = ${input.to}::text, paused_because = ${input.because}::text,
      canary = case when ${input.to}::text = 'running' and paused_because like 'canary:%' then null else canary end,
      finished_at = case when ${input.to}::text in ('finished', 'cancelled') then clock_timestamp() end
    where id = ${input.id}::bigint and state = any (${sql.param(input.from)}::text[])
    returning state`);
  return rows[0]?.state ?? null;
}
