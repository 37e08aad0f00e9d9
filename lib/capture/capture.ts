import { keepAtExit } from './at-exit';
import { type CaptureParts, captureParts, captureText } from './capture-line';
import { warnOfOptions } from './check-options';
import { Deadline, deliver, type Kept, toSpool } from './deliver';
import { errorType } from './error-evidence';
import { deliverLarge, isLarge } from './large-geometry';
import { type LostCapture, lostLine } from './lost-line';
import type { CaptureOptions, CapturePayload, CaptureResult } from './options';
import { openedSpools, type Spool, spoolOf } from './spool';
import { timeUp, within } from './within';

const pending = new Set<Promise<unknown>>();
const SEAL_MS = 5000;

/**
 * Captures one failure. Resolves within the deadline of its options, with where it is kept; never rejects and never
 * throws, whatever the error or the payload is. What neither the server nor the spool took, `on_capture_error` gets.
 */
export function capture(
  error: unknown,
  payload: CapturePayload | (() => CapturePayload),
  options: CaptureOptions,
  taskName?: string,
): Promise<CaptureResult> {
  const given = options ?? {};
  warnOfOptions(given);
  const result = start(error, payload, given, taskName ?? given.task_name ?? '');
  pending.add(result);
  result.finally(() => pending.delete(result));
  return result;
}

/**
 * Resolves when every capture started so far is kept or given up, and the spool's files are handed to the loader: await
 * it before a process exits. `timeout_ms` bounds the waiting; what is under way then goes on.
 */
export async function flush({ timeout_ms }: { timeout_ms?: number } = {}): Promise<void> {
  const signal = timeout_ms === undefined ? undefined : timeUp(timeout_ms);
  while (pending.size > 0 && !signal?.aborted) {
    await within(signal, Promise.all(pending), 'the captures').catch(() => {});
  }
  const until = signal ?? timeUp(SEAL_MS);
  await Promise.all(openedSpools().map((spool) => spool.seal(until).catch(() => {})));
}

async function start(
  error: unknown,
  payload: CapturePayload | (() => CapturePayload),
  options: CaptureOptions,
  taskName: string,
): Promise<CaptureResult> {
  let spool: Spool | undefined;
  let parts: CaptureParts;
  try {
    spool = spoolOf(options.spool, options.warn);
    parts = captureParts(error, payload, options, taskName);
  } catch (failure) {
    const reason = `the capture could not be made: ${String(failure)}`;
    const lost = { task_name: taskName, error_type: errorType(error), error_text: '' };
    giveUp('', reason, { lost, options, spool });
    return { kept: 'nowhere', line: '', reason };
  }
  const settled = keepAtExit({
    line: () => captureText(parts),
    spool,
    lost: (line, reason) => giveUp(line, reason, { lost: parts.lost, options, spool }),
  });
  return settle(parts, options, spool).finally(settled);
}

async function settle(parts: CaptureParts, options: CaptureOptions, spool: Spool | undefined): Promise<CaptureResult> {
  let done: { line: string; kept: Kept };
  try {
    // The time runs from when the process gets to it: a loop of synchronous tasks may hold everything up for longer.
    await new Promise((turn) => setImmediate(turn));
    const deadline = new Deadline(options.timeout_ms, spool);
    done = isLarge(parts)
      ? await deliverLarge(parts, options, spool, deadline)
      : await deliverLine(captureText(parts), options, spool, deadline);
  } catch (failure) {
    done = { line: '', kept: { kept: 'nowhere', reason: String(failure) } };
  }
  const { line, kept } = done;
  if (kept.kept === 'nowhere') giveUp(line, kept.reason, { lost: parts.lost, options, spool });
  return { line, ...kept };
}

async function deliverLine(
  line: string,
  options: CaptureOptions,
  spool: Spool | undefined,
  deadline: Deadline,
): Promise<{ line: string; kept: Kept }> {
  if (!options.batch) {
    const [kept] = await deliver([line], { options, spool, deadline, single: true });
    return { line, kept: kept ?? { kept: 'nowhere', reason: 'no answer' } };
  }
  const kept = await options.batch.add(line);
  if (kept.kept !== 'nowhere' || !spool) return { line, kept };
  return {
    line,
    kept: await toSpool(line, spool, kept.reason, { signal: deadline.spoolSignal(), warn: options.warn }),
  };
}

function giveUp(
  line: string,
  reason: string,
  { lost, options, spool }: { lost: LostCapture; options: CaptureOptions; spool: Spool | undefined },
): void {
  try {
    if (options.on_capture_error) options.on_capture_error(line, reason);
    else process.stderr.write(`dead-letter-office: ${lostLine(lost, reason, options.url, spool)}\n`);
  } catch {
    // The caller's own report failed; the result still says what happened, and the task's error goes on.
  }
}
