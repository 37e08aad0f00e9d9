import { getOperationRow } from '@/db/queries/get-operation';
import { startPreviewed } from '@/db/queries/start-operation';
import { DlqError } from '@/lib/contract/error';
import { CONFIRM_OVER, type Operation, type StartRequest } from '@/lib/contract/operation';
import { getOperation } from './get-operation';
import type { OperationContext } from './operation-context';

/** Redrives a second where nothing else was asked for. */
const DEFAULT_RATE_PER_S = 20;

/**
 * Starts what was previewed. Posting the same preview again starts nothing and answers the same operation.
 * @throws DlqError not_found, unprocessable (nothing eligible, count missing or wrong), conflict (expired).
 */
export async function startOperation(ctx: OperationContext, request: StartRequest): Promise<Operation> {
  const previewed = await getOperationRow(ctx.db, { preview_id: request.preview_id });
  if (!previewed) throw new DlqError('not_found', `no preview ${request.preview_id}: make one first`);
  if (previewed.state === 'previewed') {
    if (previewed.is_expired)
      throw new DlqError(
        'conflict',
        `the preview expired at ${previewed.expires_at}: what it froze is too old, make a new one`,
      );
    if (previewed.eligible === 0) throw new DlqError('unprocessable', 'nothing in this preview is eligible');
    if (previewed.eligible > CONFIRM_OVER && request.confirm !== previewed.eligible)
      throw new DlqError(
        'unprocessable',
        request.confirm === undefined
          ? `over ${CONFIRM_OVER} entries the count has to be typed: confirm ${previewed.eligible}`
          : `${request.confirm} is not ${previewed.eligible}`,
      );
    const is_redrive = previewed.action === 'redrive';
    await startPreviewed(ctx.db, {
      preview_id: request.preview_id,
      actor: ctx.actor.name,
      reason: request.reason,
      rate_per_s: is_redrive ? (request.rate_per_s ?? DEFAULT_RATE_PER_S) : null,
      canary: is_redrive && request.canary && request.canary < previewed.eligible ? request.canary : null,
    });
  }
  return getOperation(ctx, previewed.id);
}
