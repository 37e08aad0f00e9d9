import type { After } from '@/db/sort-sql';
import { DlqError } from '@/lib/contract/error';
import type { Sort } from '@/lib/contract/triage';

/** PostgreSQL's timestamps end at 294276-12-31; its earliest is 4714 BC. */
const LAST_MICROSECOND = 9_224_318_015_999_999_999n;
const FIRST_MICROSECOND = -210_866_803_200_000_000n;

/** Which side of its row a cursor means. */
export type Side = 'behind' | 'before';

/** Opaque to clients: base64url of the order, the row's sort value and id, and the side. */
export function cursorOf(sort: Sort, dir: 'asc' | 'desc', { value, id }: After, side: Side = 'behind'): string {
  const parts = [sort, dir, value, id, ...(side === 'before' ? [side] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws DlqError bad_request for text that is no cursor, and for one of another order. */
export function readCursor(cursor: string, sort: Sort, dir: 'asc' | 'desc'): { after: After; side: Side } {
  const [cursor_sort, cursor_dir, value, id, side = 'behind'] = partsOf(cursor) ?? [];
  if (!id || !/^\d{1,18}$/.test(id) || !isSide(side) || value === undefined || !isValueOf(cursor_sort, value))
    throw new DlqError(
      'bad_request',
      'the cursor cannot be read: take the next_cursor or prev_cursor of an answer as it came',
      { parameter: 'cursor' },
    );
  if (cursor_sort !== sort || cursor_dir !== dir)
    throw new DlqError(
      'bad_request',
      `the cursor belongs to the order ${cursor_sort} ${cursor_dir}, not to ${sort} ${dir}: begin with the first page`,
      { parameter: 'cursor' },
    );
  return { after: { value, id }, side };
}

function partsOf(cursor: string): (string | null)[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length < 4 || parts.length > 5) return null;
    return parts.every((part, at) => typeof part === 'string' || (part === null && at === 2)) ? parts : null;
  } catch {
    return null;
  }
}

const isSide = (text: string | null): text is Side => text === 'behind' || text === 'before';

function isValueOf(sort: string | null | undefined, value: string | null): boolean {
  if (sort === 'tile_distance') return value === null || isDistance(value);
  if (value === null) return false;
  if (sort === 'attempts') return /^\d{1,10}$/.test(value);
  if (sort !== 'failed_at' && sort !== 'first_seen') return false;
  if (value === 'infinity' || value === '-infinity') return true;
  if (!/^-?\d{1,19}$/.test(value)) return false;
  const at = BigInt(value);
  return at >= FIRST_MICROSECOND && at <= LAST_MICROSECOND;
}

/** A double as PostgreSQL writes it; one that it would refuse as out of range is none. */
function isDistance(value: string): boolean {
  if (value === 'NaN' || value === 'Infinity' || value === '0') return true;
  if (!/^\d{1,20}(\.\d{1,20})?(e[-+]?\d{1,3})?$/.test(value)) return false;
  return Number(value) > Number.MIN_VALUE * 2 ** 52 && Number.isFinite(Number(value));
}
