import { sql } from 'drizzle-orm';
import type { Action } from '@/lib/contract/operation';
import type { Tx } from '../client';

/** How long a preview can be started. */
const PREVIEW_KEPT = '1 hour';

/** A new operation in the state `previewed`; its set is frozen next, in the same transaction. */
export async function createOperation(
  tx: Tx,
  input: { action: Action; actor: string; filter: unknown },
): Promise<{ id: string; preview_id: string }> {
  const { rows } = await tx.execute<{ id: string; preview_id: string }>(sql`
    insert into dlq.operation (preview_id, action, state, filter, actor, expires_at)
    values (gen_random_uuid(), ${input.action}::text, 'previewed', ${input.filter === null ? null : JSON.stringify(input.filter)}::jsonb,
      ${input.actor}::text, clock_timestamp() + ${PREVIEW_KEPT}::interval)
    returning id, preview_id`);
  return rows[0]!;
}
