import { setTimeout as wait } from 'node:timers/promises';

/** Deadlock, serialization failure: rolled back as a whole, so the same again is safe. */
const ROLLED_BACK = ['40P01', '40001'];

/** The code of the innermost error that has one. */
function codeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause ? codeOf(error.cause) : '';
  if (inner) return inner;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Does `work` again where it was rolled back for another's sake, a few times. */
export async function retryRolledBack<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 5 || !ROLLED_BACK.includes(codeOf(error))) throw error;
      await wait(Math.random() * 20 * tries);
    }
  }
}

/**
 * Does `work` again whatever went wrong, for about half a minute: for what is safe to repeat and must not get lost, as the
 * answer of a target is when the database restarts.
 */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 8) throw error;
      await wait(Math.min(8000, 50 * 2 ** tries));
    }
  }
}
