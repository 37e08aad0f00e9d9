import { type CaptureBatch, deadLetterOnFailure, flush } from '@/lib/capture';
import type { Failed, Job } from './nights';
import type { Sources } from './sources/open-sources';
import { TASKS } from './tasks/tasks';
import { payloadOf, type TaskName, type Work } from './work';

/**
 * How many of a task run beside each other, group after group: a task that computes would hold the event loop while a
 * deadline runs out, and the upstream would be blamed for it. Children have a heap of their own and run in pairs.
 */
const IN_FLIGHT: readonly Partial<Record<TaskName, number>>[] = [
  { reproject_parcels: 1, tile_clip: 1, overlay_zoning: 1, buffer: 1, raster_window: 1 },
  { fetch_upstream: 24, mosaic: 2 },
];

export interface NightOptions {
  /** Where captures go. */
  url: string;
  batch: CaptureBatch;
  queue: string;
  run_id: string;
  token?: string;
  /** The same for the same job in every load, so that a load that broke off can be run again. */
  captureId(index: number): string;
  /** When the job at this place of the night's list failed. */
  failedAt(index: number): Date;
  on_capture_error(line: string, reason: string): void;
}

/**
 * Runs a night's jobs, each task behind `deadLetterOnFailure`; resolves with what failed, in the order of the jobs, when
 * every capture has been answered.
 */
export async function runNight(jobs: readonly Job[], sources: Sources, options: NightOptions): Promise<Failed[]> {
  const failed = new Set<number>();

  async function run(index: number, job: Job): Promise<void> {
    const task = deadLetterOnFailure({
      url: options.url,
      batch: options.batch,
      // The history is there when every capture has its answer.
      spool: false,
      queue: options.queue,
      run_id: options.run_id,
      code_version: job.version,
      task_name: job.work.task_name,
      on_capture_error: options.on_capture_error,
      now: () => options.failedAt(index),
      capture_id: () => options.captureId(index),
      payload: (work: Work) => payloadOf(work),
    })((work: Work) => TASKS[work.task_name](work, job.version, sources));
    try {
      await task(job.work);
    } catch {
      // The capture has been started, and the next night's schedule is told below.
      failed.add(index);
    }
  }

  const numbered = jobs.map((job, index) => ({ job, index }));
  for (const group of IN_FLIGHT) {
    await Promise.all(
      Object.entries(group).map(([name, count]) =>
        inParallel(
          count,
          numbered.filter(({ job }) => job.work.task_name === name),
          ({ job, index }) => run(index, job),
        ),
      ),
    );
    await options.batch.flush();
  }
  await flush();
  return jobs.filter((_, index) => failed.has(index));
}

async function inParallel<T>(count: number, items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items].values();
  const lane = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
