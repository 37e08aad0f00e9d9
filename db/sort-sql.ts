import { type SQL, sql } from 'drizzle-orm';
import type { Sort } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

export type Dir = 'asc' | 'desc';

/**
 * Where a page begins: behind the row with this value and id. Times are microseconds since 1970 or an infinity; null is no
 * value, which stands last in both directions.
 */
export interface After {
  value: string | null;
  id: string;
}

/**
 * A stretch of an order that one index holds in that order; an order is its parts one after the other. `walked` and
 * `value` are over `s` and `e`; `belongs` is decided for each row, over `s`, `c` and `e`.
 */
export interface Part {
  /** The table whose index is walked. */
  table: 'state' | 'entry';
  /** What its index holds the rows by, before the id; null where that is the id alone. */
  value: SQL | null;
  /** The rows that the index holds; null is all. */
  walked: SQL | null;
  /** The rows of those that are of this part; null is all. */
  belongs: SQL | null;
  /** Whether a row with this value is of this part. */
  holds: (value: string | null) => boolean;
}

interface SortSql {
  /** Over `s`, `c` and `e`: null is no value. */
  value: (role: Role) => SQL;
  /** Whether the value lies in dlq.entry. */
  wide: boolean;
  /** From the cursor's text to the column's type. Total: no text of the cursor's form is an error. */
  cast: (text: string) => SQL;
  /** From the column to the cursor's text. */
  read: (value: SQL) => SQL;
  parts: (dir: Dir, role: Role) => Part[];
}

const everyRow = (table: Part['table'], value: SQL): Part => ({
  table,
  value,
  walked: null,
  belongs: null,
  holds: () => true,
});

const REPEATED: Part = { ...everyRow('entry', sql`e.attempts`), walked: sql`e.attempts > 1`, holds: isRepeated };
const ONCE: Part = {
  ...everyRow('entry', sql`e.attempts`),
  value: null,
  belongs: sql`e.attempts <= 1`,
  holds: (value) => !isRepeated(value),
};

export const SORT_SQL: Record<Sort, SortSql> = {
  failed_at: {
    value: () => sql`s.failed_at`,
    wide: false,
    cast: instantOf,
    read: microsecondsOf,
    parts: () => [everyRow('state', sql`s.failed_at`)],
  },
  first_seen: {
    value: () => sql`e.first_seen`,
    wide: true,
    cast: instantOf,
    read: microsecondsOf,
    parts: () => [everyRow('entry', sql`e.first_seen`)],
  },
  attempts: {
    // 1 for what was never counted, so that the part of those that failed once is in one order
    value: () => sql`greatest(e.attempts, 1)`,
    wide: true,
    cast: (text) => sql`${text}::bigint`,
    read: (value) => sql`${value}::text`,
    parts: (dir) => (dir === 'desc' ? [REPEATED, ONCE] : [ONCE, REPEATED]),
  },
  tile_distance: {
    value: distanceFor,
    wide: false,
    cast: (text) => sql`${text}::float8`,
    read: (value) => sql`${value}::text`,
    parts: (_, role) => [
      {
        ...everyRow('state', sql`s.tile_distance_m`),
        walked: sql`s.tile_distance_m is not null`,
        belongs: role === 'viewer' ? sql`not c.sensitive` : null,
        holds: (value) => value !== null,
      },
      {
        ...everyRow('state', sql`s.tile_distance_m`),
        value: null,
        belongs: sql`${distanceFor(role)} is null`,
        holds: (value) => value === null,
      },
    ],
  },
};

/** A viewer must not read off the order how far a sensitive entry lies from its tile. */
function distanceFor(role: Role): SQL {
  return role === 'viewer' ? sql`case when not c.sensitive then s.tile_distance_m end` : sql`s.tile_distance_m`;
}

function isRepeated(value: string | null): boolean {
  return Number(value) > 1;
}

/** Exact, and independent of the session's DateStyle and of calendars (BC, five-digit years). */
function microsecondsOf(at: SQL): SQL {
  return sql`case when isfinite(${at}) then trunc(extract(epoch from ${at}) * 1000000)::text else ${at}::text end`;
}

function instantOf(text: string): SQL {
  if (text === 'infinity' || text === '-infinity') return sql`${text}::timestamptz`;
  const microseconds = BigInt(text);
  const days = microseconds / 86_400_000_000n;
  // days apart from the rest: an interval's own microseconds end 292,471 years from 1970, before timestamps do
  return sql`(('1970-01-01'::timestamp + ${`${days}`}::float8 * interval '1 day'
    + ${`${microseconds % 86_400_000_000n}`}::float8 * interval '1 microsecond') at time zone 'UTC')`;
}
