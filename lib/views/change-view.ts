import { countViews } from '@/db/queries/count-views';
import { lockViews } from '@/db/queries/lock-views';
import { updateView } from '@/db/queries/update-view';
import { MAX_VIEWS, type View, type ViewChange } from '@/lib/contract/view';
import { queueOf } from './queue-of';
import { nameInUse, tooManyViews, whyNotChanged } from './refusals';
import type { ViewContext } from './view-context';

/**
 * Gives the view another name or address; one that was deleted comes back.
 * @throws DlqError not_found, conflict: changed in between, the name is in use, or there are 500 others.
 */
export async function changeView(ctx: ViewContext, id: string, change: ViewChange): Promise<View> {
  const { name, search, version } = change;
  try {
    const changed = await ctx.db.transaction(async (tx) => {
      await lockViews(tx);
      const view = await updateView(tx, id, { name, search, version, queue: queueOf(search), actor: ctx.actor.name });
      if (view && (await countViews(tx)) > MAX_VIEWS) throw tooManyViews();
      return view;
    });
    if (changed) return changed;
  } catch (error) {
    nameInUse(error, name);
  }
  throw await whyNotChanged(ctx, id);
}
