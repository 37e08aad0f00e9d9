import { randomUUID } from 'node:crypto';
import { codeVersion } from './code-version';
import { inRun, type RunTally } from './current-run';
import type { CaptureOptions } from './options';
import { type RunReport, reportRun } from './report-run';

export interface RunOptions extends Pick<CaptureOptions, 'url' | 'token' | 'queue' | 'code_version' | 'now' | 'warn'> {
  task_name: string;
  /** Made anew for each run when left out. */
  run_id?: string | (() => string);
  /** How many units of work the run has to do … */
  expected?: number;
  /** … or which tiles, each as `z/x/y`: the ledger then knows where the holes are. */
  tiles?: readonly string[];
  /** How long a report may take, at the start (beside the work) and at the end. Default 5000. */
  timeout_ms?: number;
}

export interface Run {
  readonly run_id: string;
  /** Counts units of work that were done, or notes the tile of one. */
  succeeded(done?: number | string): void;
  readonly counts: { succeeded: number; dead_lettered: number };
}

type Work<Args extends readonly unknown[], Result> = (run: Run, ...args: Args) => Result | PromiseLike<Result>;

/**
 * Does the work as a run of the ledger: told to the server at its start and at its end, with what was expected, what
 * succeeded and what was captured. Captures within get its run_id and are counted. The result is the work's, and so is
 * the error; a server that is away costs a warning, never the run.
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
  const tally: RunTally = { run_id, dead_lettered: new Set(), succeeded_count: 0, succeeded_tiles: new Set() };
  const about: RunReport = { ...nameOf(options, run_id), started_at, ...expectedOf(options) };
  const isKnown = reportRun({ ...about, status: 'running', tiles: options.tiles }, options).then(
    () => true,
    // the report at the end says all of this again
    () => false,
  );

  const finish = async (status: 'finished' | 'failed') => {
    const report = {
      ...about,
      ...((await isKnown) ? {} : { tiles: options.tiles }),
      status,
      finished_at: now(),
      duration_ms: Math.round(performance.now() - started),
      succeeded: succeededOf(tally),
      dead_lettered: tally.dead_lettered.size,
    };
    await reportRun(report, options).catch((reason: Error) => warn(options, run_id, reason.message));
  };

  let result: Result;
  try {
    result = await inRun(tally, () => work(runOf(tally), ...args));
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
      if (typeof done === 'string') tally.succeeded_tiles.add(done);
      else tally.succeeded_count += done;
    },
    get counts() {
      const succeeded = tally.succeeded_count + tally.succeeded_tiles.size;
      return { succeeded, dead_lettered: tally.dead_lettered.size };
    },
  };
}

/** By name where every success has one, so that the ledger can tell which tiles are missing. */
function succeededOf({ succeeded_count, succeeded_tiles }: RunTally): number | string[] {
  if (succeeded_count > 0 || succeeded_tiles.size === 0) return succeeded_count + succeeded_tiles.size;
  return [...succeeded_tiles];
}

function runId({ run_id, task_name }: RunOptions, started_at: string): string {
  const given = typeof run_id === 'function' ? tried(run_id) : run_id;
  return given ?? `${task_name.slice(0, 400)}/${started_at}/${randomUUID().slice(0, 8)}`;
}

function nameOf({ task_name, queue, code_version }: RunOptions, run_id: string) {
  const version = codeVersion(code_version);
  return { run_id, task_name, ...(queue ? { queue } : {}), ...(version ? { code_version: version } : {}) };
}

function expectedOf({ expected, tiles }: RunOptions): { expected?: number } {
  const count = expected ?? tiles?.length;
  return count === undefined ? {} : { expected: count };
}

function warn(options: RunOptions, run_id: string, reason: string): void {
  tried(() => {
    const message = `the run "${run_id}" was not reported to the ledger of ${options.url}: ${reason}`;
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
