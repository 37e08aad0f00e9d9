import { suggestSources } from '@/db/queries/suggest-recent';
import { suggestValues as valuesLike } from '@/db/queries/suggest-values';
import type { Filter } from '@/lib/contract/filter';
import type { SuggestedField, ValueSuggestions } from '@/lib/contract/search';
import type { TriageContext } from './triage-context';

const MOST = 50;

/** Values of a field that begin with `prefix`, as it is or in the other case. */
export async function suggestValues(
  { db, actor }: TriageContext,
  { field, prefix, filter }: { field: SuggestedField; prefix: string; filter: Filter },
): Promise<ValueSuggestions> {
  // PostgreSQL's text cannot hold U+0000, so nothing begins with it
  if (prefix.includes('\0')) return { values: [], capped: false };
  if (field === 'source_uri') {
    const found = await suggestSources(db, { prefix, filter, role: actor.role, most: MOST + 1 });
    return { values: found.values.slice(0, MOST), capped: found.capped || found.values.length > MOST };
  }
  const prefixes = [...new Set([prefix, prefix.toUpperCase(), prefix.toLowerCase()])];
  const found = new Set<string>();
  for (const one of prefixes) for (const value of await valuesLike(db, field, one, MOST + 1)) found.add(value);
  return { values: [...found].slice(0, MOST), capped: found.size > MOST };
}
