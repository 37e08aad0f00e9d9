import { listOperationItems } from '@/db/queries/list-operation-items';
import { DlqError } from '@/lib/contract/error';
import { ITEM_OUTCOMES, type OperationItem } from '@/lib/contract/operation';
import { getOperation } from './get-operation';
import type { OperationContext } from './operation-context';

/** What became of each member of the frozen set; the cursor is the last entry's id. @throws DlqError not_found, bad_request. */
export async function listItems(
  ctx: OperationContext,
  input: { id: string; outcome: string | null; cursor: string | null; limit: number },
): Promise<{ items: OperationItem[]; next_cursor: string | null }> {
  const { outcome, cursor } = input;
  if (outcome !== null && !(ITEM_OUTCOMES as readonly string[]).includes(outcome))
    throw new DlqError('bad_request', `outcome takes one of ${ITEM_OUTCOMES.join(', ')}, not “${outcome}”`);
  if (cursor !== null && !/^\d{1,18}$/.test(cursor))
    throw new DlqError('bad_request', `“${cursor}” is no cursor of this list`);
  const operation = await getOperation(ctx, input.id);
  const items = await listOperationItems(ctx.db, {
    operation_id: operation.id,
    outcome,
    after: cursor ?? '0',
    limit: input.limit + 1,
  });
  const page = items.slice(0, input.limit);
  return { items: page, next_cursor: items.length > input.limit ? (page.at(-1)?.entry_id ?? null) : null };
}
