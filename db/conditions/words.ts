import { type SQL, sql } from 'drizzle-orm';
import { searchWords } from '@/lib/contract/search-words';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { likePattern } from './like-pattern';
import { ofEntry } from './of-entry';
import { allOf } from './set-values';

/** All words of `q` in what `dlq.searched_text` has of the error; the trigram index is over the same expression. */
export function wordsCondition(q: string, role: Role): SQL {
  const has = searchWords(q).map(
    (word) => sql`dlq.searched_text(r.error_text, r.traceback) ilike ${`%${likePattern(word)}%`}::text`,
  );
  return ofEntry(role, allOf(has));
}

/**
 * Whether the trigram index can look up all of `q` by something: without three letters or digits side by side every text
 * has to be read.
 */
export function isIndexed(q: string): boolean {
  return searchWords(q).some((word) => /[\p{L}\p{N}]{3}/u.test(word));
}
