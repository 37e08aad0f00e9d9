import { DlqError } from '@/lib/contract/error';

const MAX_LIMIT = 500;

/** The query parameters of an operation's items. @throws DlqError bad_request naming the parameter. */
export function readItemsInput(search: URLSearchParams) {
  const format = search.get('format') ?? 'json';
  if (format !== 'json' && format !== 'csv')
    throw new DlqError('bad_request', `format takes json or csv, not “${format}”`);
  const limit = Number(search.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DlqError('bad_request', `limit takes a whole number from 1 to ${MAX_LIMIT}`);
  return { format, limit, outcome: search.get('outcome'), cursor: search.get('cursor') } as const;
}
