import type { PageInput, PageRow } from '@/db/queries/list-page';
import type { After } from '@/db/sort-sql';
import { cursorOf, type Side } from './cursor';
import { type PageOrder, pageStart } from './page-order';

/** Reads a stretch of the list: `limit` rows behind `after`, or with `back` those before it, in the list's order. */
export type ReadStretch = (stretch: Pick<PageInput, 'sort' | 'dir' | 'limit' | 'after' | 'back'>) => Promise<PageRow[]>;

export interface Page {
  rows: PageRow[];
  next_cursor: string | null;
  prev_cursor: string | null;
}

/**
 * The page that is asked for, with the cursors to its neighbours. At a moment that nothing lies behind, the page is the
 * last one: a jump never ends at nothing. @throws DlqError bad_request for a broken cursor.
 */
export async function pageOf(order: PageOrder, read: ReadStretch): Promise<Page> {
  const { sort, dir, limit } = order;
  const start = pageStart(order);
  const stretch = (after: After | null, back: boolean, most: number) => read({ sort, dir, limit: most, after, back });
  const before = async (after: After): Promise<Page> => {
    // one more than asked for tells whether there is another page
    const rows = await stretch(after, true, limit + 1);
    const page = rows.slice(-limit);
    return {
      rows: page,
      next_cursor: order.cursor === null ? null : cursorTo(page.at(-1), 'behind'),
      prev_cursor: rows.length > limit ? cursorTo(page[0], 'before') : null,
    };
  };
  const cursorTo = (row: PageRow | undefined, side: Side) =>
    row ? cursorOf(sort, dir, { value: row.after, id: row.id }, side) : null;

  if (start?.back) return before(start.after);
  const rows = await stretch(start?.after ?? null, false, limit + 1);
  const page = rows.slice(0, limit);
  const first = page[0];
  if (!first && start && order.cursor === null) return before(start.after);
  const next_cursor = rows.length > limit ? cursorTo(page.at(-1), 'behind') : null;
  // what a cursor was made of lies before its page; a moment can lie before everything
  const has_before = start !== null && (order.cursor !== null || (await stretch(start.after, true, 1)).length > 0);
  return { rows: page, next_cursor, prev_cursor: has_before ? cursorTo(first, 'before') : null };
}
