import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { allOf, conditionsOf, entrySetsOf, needsEntry, SQL_CONDITIONS } from '@/db/filter-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** Entries that a `q` finds at most: of a word that is everywhere the first so many are counted, and said to be “at least”. */
export const MOST_FOUND_BY_WORDS = 50_000;
/** Entries that the other conditions find at most: 16 MB of ids. */
export const MOST_FOUND = 4_000_000;

export interface MatchingIds {
  /** Ascending. */
  ids: Uint32Array;
  /** There are more: these are some of them, in no order that means anything. */
  capped: boolean;
}

/** Whether the filter has a condition that only SQL answers. */
export function needsIds(filter: Filter): boolean {
  // a list of no ids is none of them; of other fields no values are no condition
  return filter.ids !== undefined || SQL_CONDITIONS.some((field) => hasValue(filter[field]));
}

/**
 * The entries that match the conditions that only SQL answers (SQL_CONDITIONS), whatever the others say; at most `most`,
 * and the statement stops there. Ids below 2^32.
 * @throws FilterError for a `place` that is not known.
 */
export async function idsMatching(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  most: number = filter.q === undefined ? MOST_FOUND : MOST_FOUND_BY_WORDS,
): Promise<MatchingIds> {
  const sets = entrySetsOf(filter, role);
  const [first = sql`select entry_id from dlq.state`, ...others] = sets.values();
  const conditions = conditionsOf(filter, role);
  const rest = SQL_CONDITIONS.flatMap((field) => (sets.has(field) ? [] : (conditions.get(field) ?? [])));
  // the sets are joined, so that the smallest leads; four bytes an id in one value, since a row an id costs ten times that
  const { rows } = await db.execute<{ ids: Buffer }>(sql`
    select coalesce(string_agg(int4send((entry_id - 2147483648)::integer), ''::bytea), ''::bytea) as ids
    from (
      select s.entry_id from (${first}) s
      ${sql.join(
        others.map(
          (set, index) => sql`join (${set}) ${sql.raw(`t${index}`)} on ${sql.raw(`t${index}`)}.entry_id = s.entry_id`,
        ),
        sql` `,
      )}
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${allOf(rest)} limit ${most + 1}::integer
    ) found`);
  const bytes = rows[0]?.ids ?? Buffer.alloc(0);
  const found = new Uint32Array(bytes.length / 4);
  for (let index = 0; index < found.length; index++) found[index] = bytes.readInt32BE(index * 4) + 2147483648;
  return { ids: found.subarray(0, most).sort(), capped: found.length > most };
}

function hasValue(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
