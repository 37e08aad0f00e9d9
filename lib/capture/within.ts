import { setMaxListeners } from 'node:events';

/** Aborted after this time; many may wait for it. */
export function timeUp(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(Math.max(1, Math.round(ms)));
  setMaxListeners(0, signal);
  return signal;
}

/** The promise's outcome, or an error once the signal says that time is up; what it was doing may go on. */
export function within<T>(signal: AbortSignal | undefined, promise: Promise<T>, what: string): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const give_up = () => reject(new Error(`${what} did not answer in time`));
    if (signal.aborted) give_up();
    signal.addEventListener('abort', give_up, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give_up));
  });
}
