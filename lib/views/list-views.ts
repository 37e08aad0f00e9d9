import { listViewRows } from '@/db/queries/list-views';
import { MAX_VIEWS, type ViewList } from '@/lib/contract/view';
import type { ViewContext } from './view-context';

/** Every view, by name, and how many there can be. */
export async function listViews({ db }: ViewContext): Promise<ViewList> {
  return { items: await listViewRows(db), most: MAX_VIEWS };
}
