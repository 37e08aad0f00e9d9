import { countViews } from '@/db/queries/count-views';
import { insertView } from '@/db/queries/insert-view';
import { lockViews } from '@/db/queries/lock-views';
import { MAX_VIEWS, type NewView, type View } from '@/lib/contract/view';
import { queueOf } from './queue-of';
import { nameInUse, tooManyViews } from './refusals';
import type { ViewContext } from './view-context';

/** Keeps the page's address under a name. @throws DlqError conflict: the name is in use, or there are 500 views. */
export async function createView({ db, actor }: ViewContext, { name, search }: NewView): Promise<View> {
  try {
    return await db.transaction(async (tx) => {
      await lockViews(tx);
      if ((await countViews(tx)) >= MAX_VIEWS) throw tooManyViews();
      return insertView(tx, { name, search, queue: queueOf(search), actor: actor.name });
    });
  } catch (error) {
    return nameInUse(error, name);
  }
}
