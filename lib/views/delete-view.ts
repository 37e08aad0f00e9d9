import { deleteView as deleteViewRow } from '@/db/queries/delete-view';
import { DlqError } from '@/lib/contract/error';
import type { View } from '@/lib/contract/view';
import { whyNotChanged } from './refusals';
import type { ViewContext } from './view-context';

/** Takes the view away; for a day a change of the answered version brings it back. @throws DlqError not_found, conflict. */
export async function deleteView(ctx: ViewContext, id: string, version: string): Promise<View> {
  if (!/^\d{1,18}$/.test(version))
    throw new DlqError('bad_request', 'version takes the version of the view as it was seen', { parameter: 'version' });
  const deleted = await deleteViewRow(ctx.db, id, version, ctx.actor.name);
  if (!deleted) throw await whyNotChanged(ctx, id);
  return deleted;
}
