import { setTimeout as wait } from 'node:timers/promises';
import { sqlStateOf } from '@/db/sql-state';

/** Serialisation failure, deadlock, lock not available: another transaction was in the way, and nothing was done. */
const IN_THE_WAY = ['40001', '40P01', '55P03'];

/** Runs `run` again while others are in its way, with a longer pause each time, `tries` times at most. */
export async function patiently<T>(
  run: () => Promise<T>,
  signal?: AbortSignal,
  { tries = 40, on_wait }: { tries?: number; on_wait?: () => void } = {},
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await run();
    } catch (error) {
      if (n >= tries || signal?.aborted || !IN_THE_WAY.includes(sqlStateOf(error))) throw error;
      on_wait?.();
      await wait(Math.min(2000, 50 * 1.5 ** n));
    }
  }
}
