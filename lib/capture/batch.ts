import { Deadline, deliver, type Kept, toSpool } from './deliver';
import type { SendOptions } from './send';
import { type Spool, spoolOf } from './spool';
import type { Warn } from './warn';

export interface BatchOptions extends SendOptions {
  /** How long a request may take altogether, waiting for a busy server included. Default 2000. */
  timeout_ms?: number;
  /** Where lines go that the server did not take; as the option of a capture. */
  spool?: string | Spool | false;
  /** Told once that captures lie in the spool. Default: a line to stderr. */
  warn?: Warn;
  /** A request goes out when this many captures wait. Default 200. */
  max_lines?: number;
  /** Or when the oldest of them has waited this long. Default 200. */
  max_wait_ms?: number;
  /** Captures held in memory, those under way included; what comes on top goes to the spool. Default 64 MB. */
  max_held_bytes?: number;
}

/** Captures of many tasks, sent together as NDJSON, in the order in which they came. */
export interface CaptureBatch {
  /** Resolves with where this line is kept. Never rejects. */
  add(line: string): Promise<Kept>;
  /** Sends what waits and resolves when everything added so far has been kept or given up. Never rejects. */
  flush(): Promise<void>;
}

interface Waiting {
  line: string;
  resolve: (kept: Kept) => void;
}

const DEFAULT_HELD_BYTES = 64_000_000;
/** A request goes out at this size too, however few its lines are. */
const REQUEST_BYTES = 8_000_000;

export function captureBatch(options: BatchOptions): CaptureBatch {
  const maxLines = options.max_lines ?? 200;
  const maxWaitMs = options.max_wait_ms ?? 200;
  const maxHeldBytes = options.max_held_bytes ?? DEFAULT_HELD_BYTES;
  const inFlight = new Set<Promise<void>>();
  let heldBytes = 0;
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function sendWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    waitingBytes = 0;
    if (taken.length > 0) track(keepAll(taken, options));
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
  }

  function hold(line: string, resolve: Waiting['resolve']): void {
    heldBytes += line.length;
    waitingBytes += line.length;
    waiting.push({
      line,
      resolve: (kept) => {
        heldBytes -= line.length;
        resolve(kept);
      },
    });
    if (waiting.length >= maxLines || waitingBytes >= REQUEST_BYTES) sendWaiting();
    else timer ??= setTimeout(sendWaiting, maxWaitMs);
  }

  return {
    add(line) {
      return new Promise((resolve) => {
        const is_over = heldBytes > 0 && heldBytes + line.length > maxHeldBytes;
        if (is_over) track(keepOver(line, options).then(resolve));
        else hold(line, resolve);
      });
    },
    async flush() {
      sendWaiting();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

async function keepAll(taken: readonly Waiting[], options: BatchOptions): Promise<void> {
  const spool = spoolOf(options.spool, options.warn);
  const deadline = new Deadline(options.timeout_ms, spool);
  const lines = taken.map((one) => one.line);
  const kept = await deliver(lines, { options, spool, deadline, single: false });
  taken.forEach((one, i) => {
    one.resolve(kept[i] ?? { kept: 'nowhere', reason: 'no answer' });
  });
}

async function keepOver(line: string, options: BatchOptions): Promise<Kept> {
  const reason = 'the batch holds as many captures as it may';
  const spool = spoolOf(options.spool, options.warn);
  if (!spool) return { kept: 'nowhere', reason };
  const signal = new Deadline(options.timeout_ms, spool).spoolSignal();
  return toSpool(line, spool, reason, { signal, warn: options.warn });
}
