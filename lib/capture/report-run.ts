import { setTimeout as wait } from 'node:timers/promises';
import type { CaptureOptions } from './options';
import { reasonOf, retryAfterMs } from './post-lines';
import { serverState } from './server-state';
import { timeUp } from './within';

/** The contract's report about a run, as `POST /api/runs` reads it; it counts once however often it is sent. */
export interface RunReport {
  run_id: string;
  task_name: string;
  queue?: string;
  code_version?: string;
  status?: 'running' | 'failed' | 'finished';
  started_at?: string;
  finished_at?: string;
  duration_ms?: number;
  expected?: number;
  tiles?: readonly string[];
  succeeded?: number | readonly string[];
  dead_lettered?: number;
}

export type ReportOptions = Pick<CaptureOptions, 'url' | 'token'>;

export interface ReportLimits {
  /** Aborted when it is given up. */
  signal: AbortSignal;
  /** How long that is. */
  timeout_ms: number;
  /** False: what it says is said again, so that a server which did not answer a moment ago is not asked. */
  is_last: boolean;
}

const FIRST_PAUSE_MS = 100;
/** Some 14 MB of the longest names; the server adds the pieces up. */
const TILES_A_REPORT = 500_000;
/** A server that takes long for more than this may answer captures as ever. */
const MANY_TILES = 10_000;
/** Of its time, what a last report spends on a server that did not answer a moment ago: it has nowhere else to go. */
const DOUBTFUL_PART = 0.25;

/**
 * Tells the ledger. Tried again until the time is up where waiting may help; what came of it, captures know too.
 * @throws Error with the last reason; nothing that is thrown here may reach the run itself.
 */
export async function reportRun(report: RunReport, options: ReportOptions, limits: ReportLimits): Promise<void> {
  const address = new URL('/api/runs', options.url);
  const { breaker, blob_breaker } = serverState(options.url);
  const asked = tilesOf(report) > MANY_TILES ? blob_breaker : breaker;
  const may_ask = asked.mayAsk();
  if (may_ask === 'no' && !limits.is_last) throw new Error(`${options.url} did not answer a moment ago`);
  const signal = may_ask === 'no' ? timeUp(limits.timeout_ms * DOUBTFUL_PART) : limits.signal;
  try {
    await postAll(piecesOf(report), address, options, signal);
    asked.answered();
  } catch (error) {
    if (!(error instanceof NotReported) || !error.again) asked.answered();
    else if (may_ask !== 'no') asked.failed(error.after_ms);
    throw error;
  }
}

/** `again`: nothing is said against the report itself. */
class NotReported extends Error {
  constructor(
    reason: string,
    readonly again: boolean,
    readonly after_ms = 0,
  ) {
    super(reason);
  }
}

async function postAll(
  pieces: Iterable<RunReport>,
  address: URL,
  options: ReportOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const piece of pieces) {
    const body = JSON.stringify(piece);
    let known: NotReported | undefined;
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      const problem = await post(body, address, options, signal);
      if (!problem) break;
      if (!problem.again) throw problem;
      // that time is up says less than why it was tried again
      known = signal.aborted ? (known ?? problem) : problem;
      await pauseFor(Math.max(pause, problem.after_ms), signal);
      if (signal.aborted) throw known;
    }
  }
}

const tilesOf = ({ tiles, succeeded }: RunReport): number =>
  (tiles?.length ?? 0) + (typeof succeeded === 'object' ? succeeded.length : 0);

/** What is more than one report may hold goes ahead of it, in reports of its own. */
function* piecesOf(report: RunReport): Generator<RunReport> {
  const { run_id, task_name, queue } = report;
  const name = { run_id, task_name, ...(queue ? { queue } : {}) };
  const last = { ...report };
  for (const member of ['tiles', 'succeeded'] as const) {
    const list = report[member];
    if (typeof list !== 'object' || list.length <= TILES_A_REPORT) continue;
    for (let i = 0; i < list.length; i += TILES_A_REPORT)
      yield { ...name, [member]: list.slice(i, i + TILES_A_REPORT) };
    delete last[member];
  }
  yield last;
}

async function post(
  body: string,
  address: URL,
  options: ReportOptions,
  signal: AbortSignal,
): Promise<NotReported | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      body,
      signal,
    });
    const text = await response.text();
    if (response.ok) return undefined;
    const { status } = response;
    return new NotReported(
      `HTTP ${status}: ${messageOf(text)}`,
      status === 408 || status === 429 || status >= 500,
      retryAfterMs(response) ?? 0,
    );
  } catch (error) {
    return new NotReported(signal.aborted ? 'no answer in time' : reasonOf(error), true);
  }
}

/** The server's words; those of a proxy before it as they are. */
function messageOf(text: string): string {
  try {
    const message = JSON.parse(text)?.error?.message;
    if (typeof message === 'string') return message.slice(0, 500);
  } catch {
    // no JSON
  }
  return text.slice(0, 300);
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await wait(ms, undefined, { signal }).catch(() => {});
}
