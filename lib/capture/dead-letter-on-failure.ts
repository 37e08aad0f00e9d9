import { capture } from './capture';
import { optionFaults } from './check-options';
import { isAbort } from './is-abort';
import type { CaptureOptions, CapturePayload } from './options';
import { retryGuard } from './retry-guard';
import { spoolOf } from './spool';
import { watchResult } from './watch-result';

export interface DeadLetterOptions<Args extends readonly unknown[]> extends CaptureOptions {
  /** What the task consumed, made from its arguments when it fails. */
  payload: (...args: Args) => CapturePayload;
}

/**
 * Wraps a task so that a failure is captured with its payload; put it outside the retry, so that it fires when the
 * budget is spent. The same error is always raised again, and `this` and the arguments go through.
 *
 * A synchronous task or generator is not delayed: its capture is started and `flush()` awaits it. An asynchronous one
 * awaits its capture until the deadline. A generator that fails while it is iterated is captured once, with the
 * arguments it was made with; one that is left early did not fail.
 *
 * @throws TypeError at once, before any task runs, for an option that there is not and for a url that is none.
 *
 * @example
 * const reproject = deadLetterOnFailure({
 *   url: 'http://127.0.0.1:3000',
 *   payload: (parcel: Parcel) => ({ work_key: parcel.key, geometry: parcel.wkb, src_crs: parcel.crs }),
 * })((parcel: Parcel) => pRetry(() => reprojectParcel(parcel), { retries: 3 }));
 */
export function deadLetterOnFailure<Args extends readonly unknown[]>(options: DeadLetterOptions<Args>) {
  const faults = optionFaults(options ?? {});
  if (faults.length > 0) throw new TypeError(`deadLetterOnFailure(): ${faults.join('; ')}`);
  return <This, Result>(task: (this: This, ...args: Args) => Result): ((this: This, ...args: Args) => Result) => {
    const taskName = options.task_name ?? task.name;
    const guard = retryGuard(taskName, options.warn);
    openEarly(options);

    function withCapture(this: This, ...args: Args): Result {
      const frames = guard.called(withCapture);

      const captureFailure = async (error: unknown): Promise<void> => {
        if (!options.capture_aborts && isAbort(error, args)) return;
        guard.failed(frames);
        const payload = () => {
          const made = options.payload(...args);
          // a redrive is a new try on purpose
          if (!made?.attempt_id) guard.captured(made?.work_key);
          return made;
        };
        await capture(error, payload, options, taskName);
      };

      let result: Result;
      try {
        result = Reflect.apply(task, this, args);
      } catch (error) {
        void captureFailure(error);
        throw error;
      }
      return watchResult(result, { now: (error) => void captureFailure(error), later: captureFailure });
    }

    Object.defineProperty(withCapture, 'name', { value: taskName, configurable: true });
    Object.defineProperty(withCapture, 'length', { value: task.length, configurable: true });
    return withCapture;
  };
}

/** What is wrong with the spool is said when the pipeline starts, not on the day on which it is needed. */
function openEarly(options: CaptureOptions): void {
  try {
    spoolOf(options.spool, options.warn);
  } catch {
    // the capture that needs it says so
  }
}
