import { z } from 'zod';
import { instantText } from '@/db/filter-sql';
import type { After } from '@/db/sort-sql';
import { DlqError } from '@/lib/contract/error';
import { isTimeSort, SORTS, type Sort, TIME_SORTS } from '@/lib/contract/triage';
import { readCursor } from './cursor';

/** How a list is ordered and where its page begins. */
export interface PageOrder {
  sort: Sort;
  dir: 'asc' | 'desc';
  /** Entries a page, 1 … 500. */
  limit: number;
  cursor: string | null;
  /** ISO 8601: instead of a cursor, where to enter a list that is ordered by time. */
  at?: string | null;
}

/** The query parameters of a list that are not of the filter. */
export const ORDER_PARAMETERS = ['sort', 'dir', 'limit', 'cursor', 'at'] as const;

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
  const at = search.get('at');
  if (at !== null) {
    if (!z.iso.datetime({ offset: true }).safeParse(at).success)
      throw refused('at', 'takes a moment, as 2026-11-29T02:14:00Z', at);
    if (!isTimeSort(sort)) throw refused('at', `goes with a sort by ${TIME_SORTS.join(' or ')}`, sort);
    if (search.has('cursor')) throw refused('at', 'goes without a cursor: a page behind or before has its own', at);
  }
  return { sort, dir, limit, cursor: search.get('cursor'), at };
}

/** Where a page begins; `back` is the page that ends before it. Null at the list's first entry. */
export type PageStart = { after: After; back: boolean } | null;

/** @throws DlqError bad_request for a broken cursor. */
export function pageStart({ sort, dir, cursor, at }: PageOrder): PageStart {
  if (cursor !== null) {
    const { after, side } = readCursor(cursor, sort, dir);
    return { after, back: side === 'before' };
  }
  return at ? { after: momentIn(dir, at), back: false } : null;
}

/** No id is as small or as large: entries of the very moment are behind it, in both directions. */
const BEFORE_ALL_IDS = { asc: '0', desc: '9223372036854775807' } as const;

function momentIn(dir: 'asc' | 'desc', at: string): After {
  const text = instantText(at);
  const fraction = /\.(\d{6})Z$/.exec(text)?.[1];
  const value =
    fraction === undefined
      ? text
      : `${BigInt(new Date(text.replace(/\.\d+/, '')).getTime()) * 1000n + BigInt(fraction)}`;
  return { value, id: BEFORE_ALL_IDS[dir] };
}

function isSort(text: string): text is Sort {
  return (SORTS as readonly string[]).includes(text);
}

function refused(parameter: string, takes: string, given: string): DlqError {
  return new DlqError('bad_request', `${parameter} ${takes}, not “${given.slice(0, 100)}”`, { parameter });
}
