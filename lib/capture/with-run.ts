import { randomUUID } from 'node:crypto';
import { codeVersion } from './code-version';
import { inRun } from './current-run';
import { DEFAULT_TIMEOUT_MS } from './deliver';
import type { CaptureOptions } from './options';
import { type RunReport, reportRun } from './report-run';
import { RunTally } from './run-tally';
import { timeUp, within } from './within';

export interface RunOptions extends Pick<CaptureOptions, 'url' | 'token' | 'queue' | 'code_version' | 'now' | 'warn'> {
  task_name: string;
  /** Made anew for each run when left out. */
  run_id?: string | (() => string);
  /** How many units of work the run has to do … */
  expected?: number;
  /** … or which tiles, each as `z/x/y`: the ledger then knows where the holes are. */
  tiles?: readonly string[];
  /** The most that the report at the end may hold up the result; the one at the start goes beside the work. Default 2000. */
  timeout_ms?: number;
}

export interface Run {
  readonly run_id: string;
  /** Counts units of work that were done, or notes the tile of one. */
  succeeded(done?: number | string): void;
  readonly counts: { succeeded: number; dead_lettered: number };
}

/** Of the time at the end, what the report of the start may still take. */
const START_PART = 0.5;

type Work<Args extends readonly unknown[], Result> = (run: Run, ...args: Args) => Result | PromiseLike<Result>;

/**
 * Does the work as a run of the ledger: told to the server at its start and at its end, with what was expected, what
 * succeeded and what was captured. Captures within get its run_id and are counted. The result is the work's, and so is
 * the error; a server that is away costs a warning with what the report said, never the run.
 */
export function withRun<Result>(options: RunOptions, work: Work<[], Result>): Promise<Result>;
export function withRun(
  options: RunOptions,
): <Args extends readonly unknown[], Result>(work: Work<Args, Result>) => (...args: Args) => Promise<Result>;
export function withRun(options: RunOptions, work?: Work<[], unknown>) {
  if (work) return runOnce(options, work, []);
  return <Args extends readonly unknown[], Result>(later: Work<Args, Result>) =>
    (...args: Args) =>
      runOnce(options, later, args);
}

async function runOnce<Args extends readonly unknown[], Result>(
  options: RunOptions,
  work: Work<Args, Result>,
  args: Args,
): Promise<Result> {
  const now = () => tried(() => options.now?.().toISOString()) ?? new Date().toISOString();
  const started_at = now();
  const started = performance.now();
  const run_id = runId(options, started_at);
  const tally = new RunTally(run_id, options.tiles);
  const working = inRun(tally, async () => work(runOf(tally), ...args));
  const about: RunReport = { ...nameOf(options, run_id), started_at, ...expectedOf(options, tally) };
  const tiles = tally.expected_tiles && [...tally.expected_tiles];
  const timeout_ms = Number.isFinite(options.timeout_ms) ? Number(options.timeout_ms) : DEFAULT_TIMEOUT_MS;
  const start = new AbortController();
  const start_over = setTimeout(() => start.abort(), timeout_ms).unref();
  const limits = { signal: start.signal, timeout_ms, is_last: false };
  const known = reportRun({ ...about, status: 'running', tiles }, options, limits).then(
    () => true,
    // the report at the end says all of this again
    () => false,
  );

  const finish = async (status: 'finished' | 'failed') => {
    const report = {
      ...about,
      status,
      finished_at: now(),
      duration_ms: Math.round(performance.now() - started),
      succeeded: tally.succeeded_units,
      dead_lettered: tally.dead_lettered.size,
    };
    const signal = timeUp(timeout_ms);
    const is_known = await within(timeUp(timeout_ms * START_PART), known, options.url).catch(() => false);
    clearTimeout(start_over);
    start.abort();
    const last = { signal, timeout_ms, is_last: true };
    await reportRun({ ...report, ...(is_known ? {} : { tiles }) }, options, last).catch((reason: Error) =>
      warn(
        options,
        `the run "${run_id}" was not reported to the ledger of ${options.url}: ${reason.message}; it would have said: ${countsText(about, status, tally)}`,
      ),
    );
    if (tally.left_out !== undefined)
      warn(options, `the run "${run_id}" of ${options.task_name}: left out of its reports: ${tally.left_out}`);
  };

  let result: Result;
  try {
    result = await working;
  } catch (error) {
    await finish('failed');
    throw error;
  }
  await finish('finished');
  return result;
}

function runOf(tally: RunTally): Run {
  return {
    run_id: tally.run_id,
    succeeded(done = 1) {
      tally.succeeded(done);
    },
    get counts() {
      return { succeeded: tally.succeeded_count, dead_lettered: tally.dead_lettered.size };
    },
  };
}

function runId({ run_id, task_name }: RunOptions, started_at: string): string {
  const given = typeof run_id === 'function' ? tried(run_id) : run_id;
  return given ?? `${task_name.slice(0, 400)}/${started_at}/${randomUUID().slice(0, 8)}`;
}

function nameOf({ task_name, queue, code_version }: RunOptions, run_id: string) {
  const version = codeVersion(code_version);
  return { run_id, task_name, ...(queue ? { queue } : {}), ...(version ? { code_version: version } : {}) };
}

function expectedOf({ expected }: RunOptions, tally: RunTally): { expected?: number } {
  const count = expected ?? tally.expected_tiles?.size;
  return count === undefined ? {} : { expected: count };
}

/** What the report would have said, for the log. */
function countsText({ task_name, expected }: RunReport, status: string, tally: RunTally): string {
  const of = expected === undefined ? '' : ` of ${expected}`;
  return `${task_name} ${status}, ${tally.succeeded_count}${of} succeeded, ${tally.dead_lettered.size} dead-lettered`;
}

function warn(options: RunOptions, message: string): void {
  tried(() => {
    if (options.warn) options.warn(message);
    else process.stderr.write(`dead-letter-office: ${message}\n`);
  });
}

/** What the options do may fail; the run does not for it. */
function tried<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
