import { countOutcomes } from '@/db/queries/count-outcomes';
import { getOperationRow, type OperationRow } from '@/db/queries/get-operation';
import { listOperationRows } from '@/db/queries/list-operations';
import { skippedByReason } from '@/db/queries/skipped-by-reason';
import { DlqError } from '@/lib/contract/error';
import { ITEM_OUTCOMES, OPERATION_STATES, type Operation } from '@/lib/contract/operation';
import type { OperationContext } from './operation-context';

/** @throws DlqError not_found. */
export async function getOperation(ctx: OperationContext, id: string): Promise<Operation> {
  const row = /^\d{1,18}$/.test(id) ? await getOperationRow(ctx.db, { id }) : null;
  if (!row) throw new DlqError('not_found', `no operation ${id}`);
  return (await withCounts(ctx, [row]))[0]!;
}

/** The operations that were started, newest first; the cursor is the last id. @throws DlqError bad_request. */
export async function listOperations(
  ctx: OperationContext,
  { cursor, state = null, limit = 50 }: { cursor: string | null; state?: string | null; limit?: number },
): Promise<{ items: Operation[]; next_cursor: string | null }> {
  if (cursor !== null && !/^\d{1,18}$/.test(cursor))
    throw new DlqError('bad_request', `“${cursor}” is no cursor of this list`);
  if (state !== null && !(OPERATION_STATES as readonly string[]).includes(state))
    throw new DlqError('bad_request', `state takes one of ${OPERATION_STATES.join(', ')}, not “${state}”`);
  const rows = await listOperationRows(ctx.db, { before: cursor, state, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { items: await withCounts(ctx, page), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function withCounts(ctx: OperationContext, rows: OperationRow[]): Promise<Operation[]> {
  if (rows.length === 0) return [];
  const counts = await countOutcomes(
    ctx.db,
    rows.map((row) => row.id),
  );
  return Promise.all(
    rows.map(async ({ preview_id: _preview, expires_at: _expires, is_expired: _expired, ...row }) => {
      const outcomes = Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, 0])) as Operation['outcomes'];
      for (const count of counts)
        if (count.operation_id === row.id) outcomes[count.outcome as keyof Operation['outcomes']] = count.count;
      return { ...row, outcomes, skipped: await skippedByReason(ctx.db, row.id) };
    }),
  );
}
