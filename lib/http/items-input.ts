import { DlqError } from '@/lib/contract/error';
import { readLimit } from './read-limit';

const MAX_ITEMS = 500;

/** The query parameters of an operation's items. @throws DlqError bad_request naming the parameter. */
export function readItemsInput(search: URLSearchParams) {
  const format = search.get('format') ?? 'json';
  if (format !== 'json' && format !== 'csv')
    throw new DlqError('bad_request', `format takes json or csv, not “${format}”`);
  const limit = readLimit(search, { most: MAX_ITEMS, otherwise: 100 });
  return { format, limit, outcome: search.get('outcome'), cursor: search.get('cursor') } as const;
}
