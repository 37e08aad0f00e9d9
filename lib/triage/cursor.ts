import type { After } from '@/db/queries/list-page';
import { DlqError } from '@/lib/contract/error';
import type { Sort } from '@/lib/contract/triage';

/** PostgreSQL's timestamps end at 294276-12-31; its earliest is 4714 BC. */
const LAST_MICROSECOND = 9_224_318_015_999_999_999n;
const FIRST_MICROSECOND = -210_866_803_200_000_000n;

/** Opaque to clients: base64url of the order, the last row's sort value and its id. */
export function cursorOf(sort: Sort, dir: 'asc' | 'desc', { value, id }: After): string {
  return Buffer.from(JSON.stringify([sort, dir, value, id])).toString('base64url');
}

/** @throws DlqError bad_request for text that is no cursor, and for one of another order. */
export function readCursor(cursor: string, sort: Sort, dir: 'asc' | 'desc'): After {
  const parts = partsOf(cursor);
  const [cursor_sort, cursor_dir, value, id] = parts ?? [];
  if (!value || !id || !/^\d{1,18}$/.test(id) || !isValueOf(cursor_sort, value))
    throw new DlqError('bad_request', 'the cursor cannot be read: take the next_cursor of an answer as it came', {
      parameter: 'cursor',
    });
  if (cursor_sort !== sort || cursor_dir !== dir)
    throw new DlqError(
      'bad_request',
      `the cursor belongs to the order ${cursor_sort} ${cursor_dir}, not to ${sort} ${dir}: begin with the first page`,
      { parameter: 'cursor' },
    );
  return { value, id };
}

function partsOf(cursor: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string') ? parts : null;
  } catch {
    return null;
  }
}

function isValueOf(sort: string | undefined, value: string): boolean {
  if (sort === 'attempts') return /^\d{1,10}$/.test(value);
  if (sort !== 'failed_at' && sort !== 'first_seen') return false;
  if (value === 'infinity' || value === '-infinity') return true;
  if (!/^-?\d{1,19}$/.test(value)) return false;
  const at = BigInt(value);
  return at >= FIRST_MICROSECOND && at <= LAST_MICROSECOND;
}
