import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';

/** A piece of background work: `run` does a bounded portion and answers how much it did (0: nothing waits). */
export interface LoopWork {
  name: string;
  /** Milliseconds until the next look when nothing waited. */
  idle_ms: number;
  run: (signal: AbortSignal) => Promise<number>;
}

/** After a failure the wait doubles up to this, so that a database that is away is not hammered. */
const MAX_WAIT_MS = 10_000;

/** Runs `work` again and again until `signal` aborts; a failure is logged and tried again later. Resolves when stopped. */
export async function runLoop(work: LoopWork, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let done = 0;
    try {
      done = await work.run(signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!signal.aborted)
        getLog().warn({ error: loggableError(error), work: work.name, failures }, 'background work failed');
    }
    if (failures > 0) await wait(Math.min(MAX_WAIT_MS, work.idle_ms * 2 ** failures), signal);
    else if (done === 0) await wait(work.idle_ms, signal);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}
