import type { CaptureOptions } from './options';

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

export type ReportOptions = Pick<CaptureOptions, 'url' | 'token' | 'timeout_ms'>;

const DEFAULT_TIMEOUT_MS = 5000;
const FIRST_PAUSE_MS = 100;
/** Some 14 MB of the longest names; the server adds the pieces up. */
const TILES_A_REPORT = 500_000;

/**
 * Tells the ledger. Tried again until the deadline where waiting may help.
 * @throws Error with the last reason; nothing that is thrown here may reach the run itself.
 */
export async function reportRun(report: RunReport, options: ReportOptions): Promise<void> {
  const signal = AbortSignal.timeout(options.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  for (const piece of piecesOf(report)) {
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      const answer = await post(piece, options, signal);
      if (answer.reported) break;
      if (!answer.again) throw new Error(answer.reason);
      await pauseFor(Math.max(pause, answer.after_ms), signal, answer.reason);
    }
  }
}

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

type Posted = { reported: true } | { reported: false; again: boolean; after_ms: number; reason: string };

async function post(report: RunReport, options: ReportOptions, signal: AbortSignal): Promise<Posted> {
  try {
    const response = await fetch(new URL('/api/runs', options.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      body: JSON.stringify(report),
      signal,
    });
    const text = await response.text();
    if (response.ok) return { reported: true };
    const { status, headers } = response;
    const after_ms = 1000 * (Number(headers.get('retry-after')) || 0);
    const reason = `HTTP ${status}: ${text.slice(0, 300)}`;
    return { reported: false, again: status === 429 || status >= 500, after_ms, reason };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return { reported: false, again: !signal.aborted, after_ms: 0, reason: `${String(error)}${cause}` };
  }
}

async function pauseFor(ms: number, signal: AbortSignal, reason: string): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
  if (signal.aborted) throw new Error(reason);
}
