import type { Tx } from '@/db/client';
import { listPage } from '@/db/queries/list-page';
import type { Filter } from '@/lib/contract/filter';
import type { List } from '@/lib/contract/triage';
import { cursorOf, readCursor } from './cursor';
import { itemOf } from './mask';
import type { PageOrder } from './page-order';
import type { TriageContext } from './triage-context';

export interface ListInput extends PageOrder {
  filter: Filter;
}

/** One page of the entries that match. @throws DlqError bad_request for a broken cursor. */
export async function list(
  ctx: Omit<TriageContext, 'db'> & { db: TriageContext['db'] | Tx },
  input: ListInput,
): Promise<List> {
  const { filter, sort, dir, limit, cursor } = input;
  const { role } = ctx.actor;
  const after = cursor === null ? null : readCursor(cursor, sort, dir);
  // one more than asked for tells whether there is another page
  const rows = await listPage(ctx.db, { filter, role, sort, dir, limit: limit + 1, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => itemOf(row, role)),
    next_cursor: rows.length > limit && last ? cursorOf(sort, dir, { value: last.after, id: last.id }) : null,
  };
}
