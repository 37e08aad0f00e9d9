import { getView } from '@/db/queries/get-view';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';
import { MAX_VIEWS } from '@/lib/contract/view';
import type { ViewContext } from './view-context';

const UNIQUE_VIOLATION = '23505';

/** Turns the refusal of a name in use into one that names it; anything else is thrown on. */
export function nameInUse(error: unknown, name: string): never {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
  throw new DlqError('conflict', `you have a view named “${name}” already: give this one another name`);
}

export const tooManyViews = (): DlqError =>
  new DlqError('conflict', `there are ${MAX_VIEWS} views, the most that are kept: delete one first`);

/** Why no view of this id and version was found. */
export async function whyNotChanged({ db }: ViewContext, id: string): Promise<DlqError> {
  const view = await getView(db, id);
  if (!view) return new DlqError('not_found', `there is no view ${id}`);
  const what = view.is_deleted ? 'deleted' : 'changed';
  return new DlqError('conflict', `${view.changed_by} ${what} “${view.name}” at ${view.changed_at}: look at it again`);
}

/** @throws DlqError not_found for what is no id. */
export function viewId(text: string | undefined): string {
  if (text !== undefined && /^\d{1,18}$/.test(text)) return text;
  throw new DlqError('not_found', `there is no view ${(text ?? '').slice(0, 100)}`);
}
