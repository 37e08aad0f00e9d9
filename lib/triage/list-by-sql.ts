import type { Tx } from '@/db/client';
import { listPage, type PageInput } from '@/db/queries/list-page';
import type { Filter } from '@/lib/contract/filter';
import type { List } from '@/lib/contract/triage';
import { itemOf } from './mask';
import { pageOf } from './page-of';
import type { PageOrder } from './page-order';
import type { TriageContext } from './triage-context';

export interface ListInput extends PageOrder {
  filter: Filter;
}

/** The page as the database finds it. @throws DlqError bad_request for a broken cursor. */
export async function listBySql(
  ctx: Omit<TriageContext, 'db'> & { db: TriageContext['db'] | Tx },
  input: ListInput,
): Promise<List> {
  const { role } = ctx.actor;
  const of: PageInput['of'] = { filter: input.filter };
  const { rows, ...cursors } = await pageOf(input, (stretch) => listPage(ctx.db, { of, role, ...stretch }));
  return { items: rows.map((row) => itemOf(row, role)), ...cursors };
}
