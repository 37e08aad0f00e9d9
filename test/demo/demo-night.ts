import { randomUUID } from 'node:crypto';
import { Schedule } from '@/db/demo/nights';
import { runNight } from '@/db/demo/run-night';
import type { Sources } from '@/db/demo/sources/open-sources';
import { TASK_NAMES, type Work } from '@/db/demo/work';
import { captureBatch } from '@/lib/capture';
import type { CaptureSink } from '../unit/capture/capture-sink';

export const SEED = 2026;

/** A capture as the sink's contract read it, with the night it failed on. */
export type Captured = Record<string, unknown> & { work_key: string; error_type: string; night: number };

/** Runs nights of the demo, each from a schedule of its own, and returns what the sink took. */
export async function captureNights(
  nights: readonly number[],
  sources: Sources,
  sink: CaptureSink,
  seed = SEED,
): Promise<Captured[]> {
  const taken: Captured[] = [];
  for (const night of nights) {
    sources.atNight(night);
    const before = sink.captures.length;
    await runNight(new Schedule(seed).jobs(night), sources, {
      url: sink.url,
      batch: captureBatch({ url: sink.url, spool: false, timeout_ms: 20_000 }),
      queue: 'production',
      run_id: `night-${night}`,
      captureId: () => randomUUID(),
      failedAt: (index) => new Date(Date.UTC(2026, 10, 1, 1) + index * 1000),
      on_capture_error(_, reason) {
        throw new Error(reason);
      },
    });
    taken.push(...sink.captures.slice(before).map((one) => ({ ...one, night }) as Captured));
  }
  return taken;
}

/** The unit of work of a capture: from the stored payload alone. */
export function workOfCapture(one: Captured): Work {
  const task_name = TASK_NAMES.find((name) => name === one.task_name);
  if (!task_name) throw new Error(`no task ${String(one.task_name)}`);
  return {
    work_key: one.work_key,
    task_name,
    geom_wkb: (one.geom_wkb as string | undefined) ?? null,
    srid: (one.srid as number | undefined) ?? null,
    src_crs: (one.src_crs as string | undefined) ?? null,
    tile_z: (one.tile_z as number | undefined) ?? null,
    tile_x: (one.tile_x as number | undefined) ?? null,
    tile_y: (one.tile_y as number | undefined) ?? null,
    source_uris: (one.source_uris as string[] | undefined) ?? null,
    source_window: (one.source_window as Work['source_window'] | undefined) ?? null,
    nodata: (one.nodata as string | undefined) ?? null,
    target_crs: (one.target_crs as string | undefined) ?? null,
    params: one.params as Record<string, unknown>,
  };
}
