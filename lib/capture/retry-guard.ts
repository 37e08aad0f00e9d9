import { type Warn, warnOnce } from './warn';

/** Packages whose frames around a task say that the task runs inside a retry. */
const RETRY_LIBRARIES = [
  'p-retry',
  'async-retry',
  'promise-retry',
  'retry',
  'cockatiel',
  'exponential-backoff',
  '@lifeomic/attempt',
  'ts-retry',
  'ts-retry-promise',
  'retry-as-promised',
  '@humanwhocodes/retry',
] as const;

const FRAME = new RegExp(`[/\\\\]node_modules[/\\\\](${RETRY_LIBRARIES.join('|').replaceAll('/', '[/\\\\]')})[/\\\\]`);

/** One unit of work that fails twice within this time was tried again by something outside the capture. */
const AGAIN_MS = 30_000;
const MAX_KEYS = 1000;

/** Watches one wrapped task for signs that it is captured at every try instead of after the last one. */
export interface RetryGuard {
  /** Taken when the task is called, at a cost of some microseconds: the frames outside of it. */
  called(from: (...args: never[]) => unknown): { stack?: string };
  failed(frames: { stack?: string }): void;
  /** A unit of work by its key, when its failure is captured. */
  captured(work_key: unknown): void;
}

export function retryGuard(taskName: string, warn: Warn | undefined, nowMs = () => performance.now()): RetryGuard {
  const captured = new Map<string, number>();

  function warnAbout(sign: string): void {
    warnOnce(
      `retry ${taskName}`,
      `the task "${taskName}" seems to be captured at every try: ${sign}. Put deadLetterOnFailure outside the retry, as ` +
        'deadLetterOnFailure(options)((work) => pRetry(() => task(work))), so that it fires when the tries are used up.',
      warn,
    );
  }

  return {
    called(from) {
      const frames: { stack?: string } = {};
      // of V8, and not of every runtime
      Error.captureStackTrace?.(frames, from);
      return frames;
    },
    failed(frames) {
      const library = FRAME.exec(String(frames.stack))?.[1];
      if (library) warnAbout(`${library.replaceAll('\\', '/')} is among its callers`);
    },
    captured(work_key) {
      if (typeof work_key !== 'string' || work_key === '') return;
      const before = captured.get(work_key);
      const now = nowMs();
      if (before !== undefined && now - before < AGAIN_MS) {
        warnAbout(`one work_key of it was captured twice within ${AGAIN_MS / 1000} s`);
      }
      captured.delete(work_key);
      captured.set(work_key, now);
      if (captured.size > MAX_KEYS) captured.delete(captured.keys().next().value ?? '');
    },
  };
}
