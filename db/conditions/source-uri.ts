import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { type EntrySet, entriesWherePayload } from './of-entry';
import { anyOf, type HasAny, setCondition } from './set-values';

/** Entries by the sources that their current payload names. */
export function entriesWithSource(values: readonly string[], role: Role): EntrySet {
  return entriesWherePayload(role, setCondition(hasSource, values));
}

/** Looked up by hashes (a URI can be longer than an index entry takes), then compared by their text. */
const hasSource: HasAny = ({ none, exact, prefixes }) => {
  const parts: SQL[] = [];
  if (none) parts.push(sql`coalesce(cardinality(p.source_uris), 0) = 0`);
  if (exact.length > 0)
    parts.push(sql`(dlq.uri_keys(p.source_uris) && dlq.uri_hashes(${sql.param(exact)}::text[])
      and p.source_uris && ${sql.param(exact)}::text[])`);
  for (const prefix of prefixes) {
    const folder = folderOf(prefix);
    const in_folder = folder ? sql`dlq.uri_keys(p.source_uris) && dlq.uri_hashes(array[${folder}::text]) and ` : sql``;
    parts.push(sql`(${in_folder}exists (select from unnest(p.source_uris) u where starts_with(u, ${prefix}::text)))`);
  }
  return anyOf(parts);
};

/** The folder that everything with this prefix lies in, as `dlq.uri_keys` knows it: up to one of the first 12 slashes. */
function folderOf(prefix: string): string | null {
  return /^(?:[^/]*\/){1,12}/.exec(prefix)?.[0] ?? null;
}
