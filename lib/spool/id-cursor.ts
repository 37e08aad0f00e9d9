import { DlqError } from '@/lib/contract/error';

const LAST_ID = '9223372036854775807';

/** The id that a page begins before; without a cursor the page is the first. @throws DlqError bad_request. */
export function readIdCursor(cursor: string | null): string {
  if (cursor === null) return LAST_ID;
  if (/^\d{1,18}$/.test(cursor)) return cursor;
  throw new DlqError(
    'bad_request',
    `“${cursor.slice(0, 40)}” is no cursor: take the next_cursor of an answer as it came`,
  );
}

/** A page of rows of which one more than the page was asked for. */
export function pageOf<T extends { id: string }>(rows: readonly T[], limit: number) {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
