import { createHash } from 'node:crypto';
import { captureBatch } from '@/lib/capture';
import { putManifests } from './manifests';
import { Schedule } from './nights';
import { runNight } from './run-night';
import { openSources } from './sources/open-sources';
import { NIGHTS } from './versions';

export const DEMO_SEED = 2026;
const QUEUE = 'production';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The runs begin at 01:00 UTC and take two and a half hours. */
const START_HOUR = 1;
const RUN_HOURS = 2.5;

export interface LoadProgress {
  /** Nights that are done, of how many. */
  night: number;
  nights: number;
  /** Distinct work keys so far, and captures so far. */
  entries: number;
  captures: number;
}

export interface LoadOptions {
  /** Base URL of the server. */
  url: string;
  now: Date;
  seed?: number;
  token?: string;
  on_progress?: (progress: LoadProgress) => void;
}

/**
 * Registers the pipeline's manifests and runs its 90 nights up to last night, each failure captured over HTTP. Throws
 * when the server refuses a manifest or did not take a capture.
 */
export async function loadDemo(options: LoadOptions): Promise<LoadProgress> {
  const { url, now, token, seed = DEMO_SEED } = options;
  await putManifests({ url });
  const sources = await openSources();
  const batch = captureBatch({ url, token, spool: false, max_lines: 250, max_wait_ms: 50, timeout_ms: 60_000 });
  const schedule = new Schedule(seed);
  const keys = new Set<string>();
  const lost: string[] = [];
  const progress: LoadProgress = { night: 0, nights: NIGHTS, entries: 0, captures: 0 };
  try {
    for (let night = 0; night < NIGHTS; night += 1) {
      sources.atNight(night);
      const start = nightStart(night, now);
      const jobs = schedule.jobs(night);
      const failed = await runNight(jobs, sources, {
        url,
        token,
        batch,
        queue: QUEUE,
        run_id: `nightly-${start.toISOString().slice(0, 10)}`,
        captureId: (index) => uuidOf(`${seed}/${night}/${index}`),
        failedAt: (index) => new Date(start.getTime() + Math.round((index / jobs.length) * RUN_HOURS * HOUR_MS)),
        on_capture_error: (_, reason) => lost.push(reason),
      });
      if (lost.length > 0) throw new Error(`${lost.length} captures were not taken by ${url}: ${lost[0]}`);
      schedule.failed(night, failed);
      for (const { unit } of failed) keys.add(unit.work_key);
      progress.night = night + 1;
      progress.captures += failed.length;
      progress.entries = keys.size;
      options.on_progress?.({ ...progress });
    }
  } finally {
    await sources.close();
  }
  return progress;
}

/** A UUID (version 8: of our own making) that is the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** When a night's run began. Last night is the latest whose run was over by now. */
export function nightStart(night: number, now: Date): Date {
  const ended = now.getTime() - (START_HOUR + RUN_HOURS) * HOUR_MS;
  const lastMidnight = Math.floor(ended / DAY_MS) * DAY_MS;
  return new Date(lastMidnight + START_HOUR * HOUR_MS - (NIGHTS - 1 - night) * DAY_MS);
}
