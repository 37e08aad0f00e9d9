import { queryOptions } from '@tanstack/react-query';
import { type View, type ViewList, viewListSchema, viewSchema } from '../contract/view';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** The saved views, by name. */
export function viewsQuery() {
  return queryOptions({
    queryKey: queryKeys.views.list(),
    queryFn: ({ signal }) => fetchJson(viewListSchema, '/api/views', { signal }),
  });
}

export const createView = (name: string, search: string): Promise<View> =>
  fetchJson(viewSchema, '/api/views', { method: 'POST', body: { name, search } });

/** Gives a view of the version that was seen another name or address; a deleted one comes back. */
export const changeView = ({ id, version }: View, change: { name: string; search: string }): Promise<View> =>
  fetchJson(viewSchema, `/api/views/${encodeURIComponent(id)}`, { method: 'PUT', body: { ...change, version } });

export const deleteView = ({ id, version }: View): Promise<View> =>
  fetchJson(viewSchema, `/api/views/${encodeURIComponent(id)}?version=${version}`, { method: 'DELETE' });

/** The list with a view put in, replaced or taken out, in its order. */
export function withView(list: ViewList, view: View, is_there = true): ViewList {
  const others = list.items.filter(({ id }) => id !== view.id);
  const items = is_there ? [...others, view] : others;
  return { ...list, items: items.sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase(), 'en')) };
}
