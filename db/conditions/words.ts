import { sql } from 'drizzle-orm';
import { searchWords } from '@/lib/contract/search-words';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { likePattern } from './like-pattern';
import { type EntrySet, entriesWhere } from './of-entry';
import { allOf } from './set-values';

/** Entries with all words of `q` in what `dlq.searched_text` has of the error; the trigram index is over the same expression. */
export function entriesWithWords(q: string, role: Role): EntrySet {
  const has = searchWords(q).map(
    (word) => sql`dlq.searched_text(r.error_text, r.traceback) ilike ${`%${likePattern(word)}%`}::text`,
  );
  return entriesWhere(role, allOf(has));
}
