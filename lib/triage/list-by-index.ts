import { listPage, type PageInput, type PageRow, walkPage } from '@/db/queries/list-page';
import type { Filter } from '@/lib/contract/filter';
import type { List } from '@/lib/contract/triage';
import type { Query } from '@/lib/follow/messages';
import type { TriageIndexThread } from '@/lib/follow/triage-index';
import type { PageOrder } from '@/lib/index/answers';
import { asInstant, type IndexQuestion, indexQuestion } from './index-query';
import type { ListInput } from './list-by-sql';
import { itemOf } from './mask';
import { pageOf, type ReadStretch } from './page-of';
import type { TriageContext } from './triage-context';
import { there, withIndex } from './with-index';

type Stretch = Parameters<ReadStretch>[0];

/** Up to so many matches are sorted by what the index does not hold; of more, the database walks its index of that order. */
const MOST_SORTED = 20_000;
const MOST_WALKED = 100_000;
/** Rows of the time index that are looked at before the index is asked: a page of what is frequent is there in 5 ms. */
const SHORT_WALK = 1_000;

/** The page as the index finds it, with rows read by their keys; null where there is no index. @throws DlqError bad_request for a broken cursor. */
export function listByIndex(ctx: TriageContext, input: ListInput): Promise<List | null> {
  return withIndex(async (index) => {
    const question = await indexQuestion(ctx, index, input.filter);
    const { rows, ...cursors } = await pageOf(input, (stretch) => readStretch(ctx, index, input, question, stretch));
    return { items: rows.map((row) => itemOf(row, ctx.actor.role)), ...cursors };
  });
}

/** A stretch of the list, in the order that is asked for. */
export async function readStretch(
  ctx: TriageContext,
  index: TriageIndexThread,
  { filter }: ListInput,
  { query, capped }: IndexQuestion,
  stretch: Stretch,
): Promise<PageRow[]> {
  // of more than were taken these are not the first of the order; what is everywhere is found soon by walking it
  if (capped) return listPage(ctx.db, { of: { filter }, role: ctx.actor.role, ...stretch });
  if (stretch.sort === 'failed_at') {
    const walked = await shortWalk(ctx, filter, query, stretch);
    if (walked) return walked;
    const { ids } = there(await index.ask('page', { query, page: pageOrder(stretch) }, ctx.signal));
    return rowsOf(ctx, ids, stretch);
  }
  const { ids } = there(await index.ask('ids', { query, most: MOST_SORTED + 1 }, ctx.signal));
  if (ids.length <= MOST_SORTED) return rowsOf(ctx, ids, stretch);
  return listPage(ctx.db, { of: { filter }, role: ctx.actor.role, most_walked: MOST_WALKED, ...stretch });
}

/** A page of what is frequent, without the index; null where it has to find the page. */
export async function shortWalk(
  { db, actor }: TriageContext,
  filter: Filter,
  query: Query,
  stretch: Stretch,
): Promise<PageRow[] | null> {
  if (query.entry_ids || stretch.sort !== 'failed_at') return null;
  return walkPage(db, filter, { role: actor.role, ...stretch, most_walked: SHORT_WALK });
}

/** The rows of these entries, as far as they are in the stretch. */
export function rowsOf(ctx: TriageContext, ids: Uint32Array, stretch: Stretch): Promise<PageRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const of: PageInput['of'] = { ids: Array.from(ids, String) };
  return listPage(ctx.db, { of, role: ctx.actor.role, ...stretch });
}

/** A stretch as the index is asked: the one before a place is the one behind it, read the other way. */
export function pageOrder({ dir, limit, after, back = false }: Stretch): PageOrder {
  const way = (dir === 'desc') === back ? 'asc' : 'desc';
  if (!after) return { dir: way, limit };
  // over every id that the index can hold: the place before or behind all of one moment
  const entry_id = Math.min(Number(after.id), 2 ** 32);
  return { dir: way, limit, after: { failed_at_us: asInstant(after.value ?? ''), entry_id } };
}
