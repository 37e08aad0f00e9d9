import { type CaptureLine, captureLine } from './capture-line';
import type { CaptureOptions, CapturePayload, CaptureResult } from './options';
import { send } from './send';

const pending = new Set<Promise<unknown>>();

/**
 * Captures one failure. Resolves within the deadline of its options, with what became of it; never rejects and never
 * throws, whatever the error or the payload is. When the server did not take it, `on_capture_error` gets the line.
 */
export function capture(
  error: unknown,
  payload: CapturePayload | (() => CapturePayload),
  options: CaptureOptions,
  taskName = options.task_name ?? '',
): Promise<CaptureResult> {
  const result = settle(error, payload, options, taskName);
  pending.add(result);
  result.finally(() => pending.delete(result));
  return result;
}

/** Resolves when every capture started so far has been answered or given up: await it before a process exits. */
export async function flush(): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}

async function settle(
  error: unknown,
  payload: CapturePayload | (() => CapturePayload),
  options: CaptureOptions,
  taskName: string,
): Promise<CaptureResult> {
  let line = '';
  try {
    const made = lineOf(error, payload, options, taskName);
    line = made.line;
    const answer = options.batch ? await options.batch.add(line) : (await send([line], options, true))[0];
    if (answer && 'id' in answer) return { sent: true, line, ...answer };
    throw new Error(answer ? `refused: ${answer.refused}` : 'no answer');
  } catch (reason) {
    return giveUp(line, reason instanceof Error ? reason.message : String(reason), options);
  }
}

/** A payload that cannot be made at all still leaves a line that names the task and the error. */
function lineOf(
  error: unknown,
  payload: CapturePayload | (() => CapturePayload),
  options: CaptureOptions,
  taskName: string,
): CaptureLine {
  try {
    return captureLine(error, typeof payload === 'function' ? payload() : payload, options, taskName);
  } catch (reason) {
    return captureLine(error, { payload_error: String(reason) }, options, taskName);
  }
}

function giveUp(line: string, reason: string, options: CaptureOptions): CaptureResult {
  try {
    if (options.on_capture_error) options.on_capture_error(line, reason);
    else process.stderr.write(`dead-letter-office: a capture was not taken by ${options.url}: ${reason}\n`);
  } catch {
    // The caller's own report failed; the result below still says what happened, and the task's error goes on.
  }
  return { sent: false, line, reason };
}
