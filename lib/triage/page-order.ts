import { DlqError } from '@/lib/contract/error';
import { SORTS, type Sort } from '@/lib/contract/triage';

/** How a list is ordered and where its page begins. */
export interface PageOrder {
  sort: Sort;
  dir: 'asc' | 'desc';
  /** Entries a page, 1 … 500. */
  limit: number;
  cursor: string | null;
}

/** The query parameters of a list that are not of the filter. */
export const ORDER_PARAMETERS = ['sort', 'dir', 'limit', 'cursor'] as const;

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** @throws DlqError bad_request naming the parameter and what it takes. */
export function readPageOrder(search: URLSearchParams): PageOrder {
  const sort = search.get('sort') ?? 'failed_at';
  if (!isSort(sort)) throw refused('sort', `takes one of ${SORTS.join(', ')}`, sort);
  const dir = search.get('dir') ?? 'desc';
  if (dir !== 'asc' && dir !== 'desc') throw refused('dir', 'takes asc or desc', dir);
  const limit_text = search.get('limit') ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,6}$/.test(limit_text) ? Number(limit_text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw refused('limit', `takes a number from 1 to ${MAX_LIMIT}`, limit_text);
  return { sort, dir, limit, cursor: search.get('cursor') };
}

function isSort(text: string): text is Sort {
  return (SORTS as readonly string[]).includes(text);
}

function refused(parameter: string, takes: string, given: string): DlqError {
  return new DlqError('bad_request', `${parameter} ${takes}, not “${given.slice(0, 100)}”`, { parameter });
}
