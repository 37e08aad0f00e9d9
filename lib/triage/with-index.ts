import { getTriageIndex, type TriageIndexThread } from '@/lib/follow/triage-index';

/** There is no index, or no longer: SQL has to answer. */
class NoIndex extends Error {}

/** What `answer` makes of the index's answers; null where there is no index that answers, and SQL has to. */
export async function withIndex<T>(answer: (index: TriageIndexThread) => Promise<T>): Promise<T | null> {
  const index = getTriageIndex();
  if (index?.state !== 'ready') return null;
  try {
    return await answer(index);
  } catch (error) {
    if (error instanceof NoIndex) return null;
    throw error;
  }
}

/** Ends `withIndex`: SQL has to answer. */
export function noIndex(): never {
  throw new NoIndex();
}

/** An answer of the index inside `withIndex`, which ends where there is none. */
export const there = <T>(answer: T | null): T => answer ?? noIndex();
