import { capture } from './capture';
import { isAbort } from './classify';
import type { CaptureOptions, CapturePayload } from './options';

export interface DeadLetterOptions<Args extends readonly unknown[]> extends CaptureOptions {
  /** What the task consumed, made from its arguments when it fails. */
  payload: (...args: Args) => CapturePayload;
}

/**
 * Wraps a task so that a failure is captured with its payload; put it outside the retry, so that it fires when the
 * budget is spent. The same error is always raised again. A synchronous task is not delayed: its capture is started and
 * `flush()` awaits it. An asynchronous task awaits its capture until the deadline.
 */
export function deadLetterOnFailure<Args extends readonly unknown[]>(options: DeadLetterOptions<Args>) {
  return <Result>(task: (...args: Args) => Result): ((...args: Args) => Result) => {
    const taskName = options.task_name ?? task.name;

    function captureFailure(error: unknown, args: Args): Promise<unknown> {
      if (!options.capture_aborts && isAbort(error)) return Promise.resolve();
      return capture(error, () => options.payload(...args), options, taskName);
    }

    function withCapture(this: unknown, ...args: Args): Result {
      let result: Result;
      try {
        result = Reflect.apply(task, this, args);
      } catch (error) {
        void captureFailure(error, args);
        throw error;
      }
      if (!isThenable(result)) return result;
      return result.then(undefined, async (error: unknown) => {
        await captureFailure(error, args);
        throw error;
      }) as Result;
    }

    Object.defineProperty(withCapture, 'name', { value: taskName, configurable: true });
    return withCapture;
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
  } catch {
    return false;
  }
}
