import { DlqError } from '@/lib/contract/error';

/** How many items a page may have. @throws DlqError bad_request with the range. */
export function readLimit(search: URLSearchParams, { most, otherwise }: { most: number; otherwise: number }): number {
  const limit = Number(search.get('limit') ?? otherwise);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new DlqError('bad_request', `limit takes a whole number from 1 to ${most}`);
  return limit;
}
