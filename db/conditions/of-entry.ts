import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** Entries as a select of their `entry_id`, each once. */
export type EntrySet = SQL;

/** Whether the entry of the row is in the set; becomes a join that either side can lead. */
export function isIn(set: EntrySet): SQL {
  return sql`s.entry_id in (${set})`;
}

/**
 * The entries `r` that the condition holds for. To a viewer a sensitive entry is never among them: else its masked text
 * could be found by trying.
 */
export function entriesWhere(role: Role, condition: SQL): EntrySet {
  return sql`select r.id as entry_id from dlq.entry r where ${condition}${shownTo(role)}`;
}

/**
 * Entries by their current payload `p`. Hardly an entry has two: that there is no other is read from the payloads' key
 * alone, where a look into the wide entry would take ten times as long.
 */
export function entriesWherePayload(role: Role, condition: SQL): EntrySet {
  if (role === 'viewer')
    return sql`select p.entry_id from dlq.payload p join dlq.entry r on r.id = p.entry_id and r.payload_hash = p.payload_hash
      where ${condition}${shownTo(role)}`;
  return sql`select p.entry_id from dlq.payload p where ${condition} and (
    not exists (select from dlq.payload o where o.entry_id = p.entry_id and o.payload_hash <> p.payload_hash)
    or exists (select from dlq.entry r where r.id = p.entry_id and r.payload_hash = p.payload_hash))`;
}

/** Entries by the footprint of their diagnosis `d`; `beside` is what else the condition reads, with a comma behind it. */
export function entriesWhereFootprint(role: Role, condition: SQL, beside: SQL = sql``): EntrySet {
  const entry = role === 'viewer' ? sql` join dlq.entry r on r.id = d.entry_id` : sql``;
  return sql`select d.entry_id from ${beside} dlq.diagnosis d${entry} where ${condition}${shownTo(role)}`;
}

function shownTo(role: Role): SQL {
  return role === 'viewer' ? sql` and not r.sensitive` : sql``;
}
