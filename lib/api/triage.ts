import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Filter, filterToSearch } from '../contract/filter';
import { faultFacetSchema, type List, listSchema, type Sort, type Triage, triageSchema } from '../contract/triage';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** How the list is ordered; the newest failure first when nothing is said. */
export interface Order {
  sort?: Sort;
  dir?: 'asc' | 'desc';
  /** The moment that the list is entered at, in an order by time; else its first entry. */
  at?: string | null;
  /** Entries a page, at most 500. */
  limit?: number;
}

/** Asks for the whole answer once. */
export function askTriage(filter: Filter, order: Order, signal?: AbortSignal): Promise<Triage> {
  return fetchJson(triageSchema, `/api/triage?${searchOf(filter, order)}`, signal ? { signal } : {});
}

/** Asks for one page of the list: the first, or that at `order.at`, without a cursor. */
export function askList(filter: Filter, order: Order, cursor: string | null, signal?: AbortSignal): Promise<List> {
  return fetchJson(listSchema, `/api/dead-letters?${searchOf(filter, order, cursor)}`, signal ? { signal } : {});
}

/** Everything the triage page shows for a filter, in one answer. The last answer stays visible while the next is made. */
export function triageQuery(filter: Filter, order: Order = {}) {
  return queryOptions({
    queryKey: queryKeys.triage.answer(filter, orderText(order)),
    queryFn: ({ signal }) => askTriage(filter, order, signal),
    placeholderData: keepPreviousData,
  });
}

/** The facet of faults, of the moment of an answer: another answer asks for it anew, the old counts stay meanwhile. */
export function faultsQuery(filter: Filter, as_of: string) {
  // its own condition does not count: ticking a fault asks for nothing new
  const { fault: _, ...others } = filter;
  return queryOptions({
    queryKey: queryKeys.triage.faults(others, as_of),
    queryFn: ({ signal }) => fetchJson(faultFacetSchema, `/api/triage/faults?${filterToSearch(others)}`, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function searchOf(filter: Filter, order: Order, cursor: string | null = null): string {
  const search = filterToSearch(filter);
  if (order.sort) search.set('sort', order.sort);
  if (order.dir) search.set('dir', order.dir);
  if (order.limit) search.set('limit', String(order.limit));
  if (cursor) search.set('cursor', cursor);
  else if (order.at) search.set('at', order.at);
  return search.toString();
}

function orderText({ sort = 'failed_at', dir = 'desc', limit = 100, at = null }: Order): string {
  return `${sort} ${dir} ${limit} ${at ?? ''}`;
}
