import { sql } from 'drizzle-orm';
import { matching, needsEntry } from '@/db/filter-sql';
import { countEligible } from '@/db/queries/count-eligible';
import { createOperation } from '@/db/queries/create-operation';
import { freezeOperation } from '@/db/queries/freeze-operation';
import { getOperationRow } from '@/db/queries/get-operation';
import { sampleItems } from '@/db/queries/sample-items';
import { skippedByReason } from '@/db/queries/skipped-by-reason';
import { targetsOfOperation } from '@/db/queries/targets-of-operation';
import { DlqError } from '@/lib/contract/error';
import type { Filter } from '@/lib/contract/filter';
import type { Preview, PreviewRequest } from '@/lib/contract/operation';
import { judgeItems } from './judge-items';
import type { OperationContext } from './operation-context';

/**
 * Freezes the set of a bulk action and says what would happen to each member; changes nothing else. The set is every
 * entry that matches now: what fails later is not in it.
 * @throws DlqError bad_request for a filter without a condition: "all" has to be said in words (state=any).
 */
export async function previewOperation(ctx: OperationContext, request: PreviewRequest): Promise<Preview> {
  const filter = filterOf(request);
  return ctx.db.transaction(async (tx) => {
    const { id } = await createOperation(tx, {
      action: request.action,
      actor: ctx.actor.name,
      filter: request.filter ?? null,
    });
    const matched = await freezeOperation(tx, id, request.action, {
      joins: needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``,
      condition: matching(filter, ctx.actor.role),
    });
    if (request.action === 'redrive') await judgeItems(tx, id);
    await countEligible(tx, id);
    const operation = await getOperationRow(tx, { id });
    if (!operation) throw new DlqError('internal', 'the preview was not written');
    const skipped = await skippedByReason(tx, id);
    const missing = request.ids ? new Set(request.ids).size - matched : 0;
    if (missing > 0) skipped.push({ reason: 'not_found', detail: null, count: missing });
    return {
      preview_id: operation.preview_id,
      operation_id: operation.id,
      action: operation.action,
      matched,
      eligible: operation.eligible,
      skipped,
      sample: await sampleItems(tx, id),
      targets: request.action === 'redrive' ? await targetsOfOperation(tx, id) : [],
      frozen_at: operation.frozen_at,
      expires_at: operation.expires_at,
    };
  });
}

/** Ticked rows are taken whatever their state: what cannot be done with one is said beside it. */
function filterOf(request: PreviewRequest): Filter {
  if (request.ids) return { ids: request.ids, state: ['any'] };
  const filter = request.filter ?? {};
  const conditions = Object.values(filter).filter(
    (value) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  if (conditions.length === 0)
    throw new DlqError('bad_request', 'the filter has no condition: name at least one, or state=any for every entry');
  return filter;
}
