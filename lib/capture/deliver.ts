import type { Breaker } from './breaker';
import { urlFault } from './check-options';
import { reasonOf } from './post-lines';
import { type SendLimits, type SendOptions, send, type Taken } from './send';
import { serverState } from './server-state';
import type { Spool } from './spool';
import { type Warn, warnOnce } from './warn';
import { timeUp, within } from './within';

/** What became of one line. `reason` says why the server did not take it. */
export type Kept =
  | ({ kept: 'server' } & Taken)
  | { kept: 'spool'; file: string; reason: string }
  | { kept: 'nowhere'; reason: string };

export const DEFAULT_TIMEOUT_MS = 2000;
/** Of the time of a capture that has a spool, the server gets this much; the rest is the spool's. */
const SERVER_PART = 0.6;
/** A server that is being restarted is there again sooner than anyone wants to wait, or much later. */
const SPOOL_AFTER_TRIES = 3;
/** Where no spool can keep a capture, a server that did not answer a moment ago gets one request and this much time. */
const LAST_CHANCE_MS = 250;

/** The time of a capture. Each part is counted from when it begins: a process that was held up loses nothing by it. */
export class Deadline {
  readonly server_ms: number;
  readonly #spool_ms: number;
  /** `performance.now()` at which the server is given up. */
  readonly server_until: number;

  constructor(timeout_ms = DEFAULT_TIMEOUT_MS, spool?: Spool) {
    this.server_ms = spool ? timeout_ms * SERVER_PART : timeout_ms;
    this.#spool_ms = timeout_ms - this.server_ms;
    this.server_until = performance.now() + this.server_ms;
  }

  /** Begins the spool's part. */
  spoolSignal(): AbortSignal {
    return timeUp(this.#spool_ms);
  }
}

type Effort = Pick<SendLimits, 'max_tries' | 'max_unreachable' | 'answer_within_ms'>;

export interface Delivery {
  options: SendOptions & { warn?: Warn };
  spool: Spool | undefined;
  deadline: Deadline;
  single: boolean;
  /** Done before lines go to the spool, in the same time; they follow whatever comes of it. */
  before_spool?: (spool: Spool, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Lines to the server; what it did not take, to the spool, also what it refused for good: the loader's side file then
 * shows it with the reason. Never rejects, and says of every line where it is.
 */
export async function deliver(lines: readonly string[], delivery: Delivery): Promise<Kept[]> {
  const { options, spool } = delivery;
  const may_ask = serverState(options.url).breaker.mayAsk();
  if (!spool) return askServer(lines, delivery, WITHOUT_SPOOL[may_ask]);
  if (may_ask !== 'no') {
    const kept = await askServer(lines, delivery, {
      max_tries: may_ask === 'once' ? 1 : undefined,
      max_unreachable: SPOOL_AFTER_TRIES,
    });
    return retryLost(lines, kept, (lost, reasons) => allToSpool(lost, reasons, spool, delivery));
  }
  const reasons = lines.map(() => `${options.url} did not answer a moment ago`);
  const kept = await allToSpool(lines, reasons, spool, delivery);
  // What the spool cannot take has nowhere else to go.
  return retryLost(lines, kept, async (lost, why) =>
    (await askServer(lost, delivery, { max_unreachable: SPOOL_AFTER_TRIES })).map((one, i) =>
      one.kept === 'nowhere' ? { ...one, reason: `${why[i]}; ${one.reason}` } : one,
    ),
  );
}

/**
 * A server that is busy is waited for as ever, since there is no other place: only one that does not answer at all is
 * given up at once, so that its failures do not each take their whole time.
 */
const WITHOUT_SPOOL: Record<ReturnType<Breaker['mayAsk']>, Effort> = {
  yes: {},
  once: { max_unreachable: 1 },
  no: { max_unreachable: 1, answer_within_ms: LAST_CHANCE_MS },
};

/** Tries another way for the lines that are nowhere yet. */
async function retryLost(
  lines: readonly string[],
  kept: readonly Kept[],
  another: (lost: string[], reasons: string[]) => Promise<Kept[]>,
): Promise<Kept[]> {
  const lost = lines.filter((_, i) => kept[i]?.kept === 'nowhere');
  if (lost.length === 0) return [...kept];
  const reasons = kept.flatMap((one) => (one.kept === 'nowhere' ? [one.reason] : []));
  const tried = (await another(lost, reasons)).values();
  return kept.map((one) => (one.kept === 'nowhere' ? (tried.next().value ?? one) : one));
}

async function allToSpool(
  lines: readonly string[],
  reasons: readonly string[],
  spool: Spool,
  { options, deadline, before_spool }: Delivery,
): Promise<Kept[]> {
  const signal = deadline.spoolSignal();
  await within(signal, before_spool?.(spool, signal) ?? Promise.resolve(), spool.where).catch(() => {});
  return Promise.all(lines.map((line, i) => toSpool(line, spool, reasons[i] ?? '', { signal, warn: options.warn })));
}

/**
 * Told once a spool, since captures count nowhere until a loader has seen them.
 * @param reason why the server did not take it.
 */
export async function toSpool(
  line: string,
  spool: Spool,
  reason: string,
  { signal, warn }: { signal: AbortSignal; warn?: Warn },
): Promise<Kept> {
  try {
    const { file } = await within(signal, spool.append(line, signal), `the spool ${spool.where}`);
    const message = `captures are kept in ${spool.where} until it is loaded, by a worker or \`dlo ingest\`: ${reason}`;
    warnOnce(`spooled to ${spool.where}`, message, warn);
    return { kept: 'spool', file, reason };
  } catch (error) {
    return { kept: 'nowhere', reason: `${reason}; ${reasonOf(error)}` };
  }
}

async function askServer(
  lines: readonly string[],
  { options, deadline, single, spool }: Delivery,
  effort: Effort,
): Promise<Kept[]> {
  const fault = urlFault(options.url);
  if (fault !== null) return lines.map(() => ({ kept: 'nowhere', reason: fault }));
  const { breaker } = serverState(options.url);
  const started = performance.now();
  const sent = await send(lines, options, { until: deadline.server_until, single, ...effort });
  // An answer that took half of what a capture may take would hold up a thousand of them as badly as none; without a
  // spool it is the only place that there is.
  const is_slow = spool && single && performance.now() - started > deadline.server_ms / 2;
  if (sent.is_away || is_slow) breaker.failed(sent.retry_after_ms);
  else breaker.answered();
  return sent.answers.map((answer) =>
    'refused' in answer ? { kept: 'nowhere', reason: answer.refused } : { kept: 'server', ...answer },
  );
}
