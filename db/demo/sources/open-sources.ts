import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRasters } from './rasters';
import { startUpstream } from './upstream';

/**
 * A second of the pipeline's deadlines lasts this long here: 30 s become 1.5 s. Upstream and tasks share one busy
 * process; at 300 ms, answers that were on their way were called late and the demo was no longer the same every time.
 */
const MS_PER_SECOND = 50;

/** What the tasks read from outside their payload: a raster store and an upstream service, both real and local. */
export interface Sources {
  raster_dir: string;
  /** The address on loopback that stands for a source's public address. */
  resolve(uri: string): string;
  /** A deadline of the pipeline, in milliseconds of this machine. */
  deadlineMs(timeout_ms: number): number;
  /** Sets the night whose outages the upstream has; NIGHTS or later is today. */
  atNight(night: number): void;
  close(): Promise<void>;
}

export async function openSources(): Promise<Sources> {
  const raster_dir = await mkdtemp(join(tmpdir(), 'dlo-demo-'));
  await writeRasters(raster_dir);
  const upstream = await startUpstream();
  return {
    raster_dir,
    resolve(uri) {
      const { pathname, search } = new URL(uri);
      return `${upstream.origin}${pathname}${search}`;
    },
    deadlineMs: (timeout_ms) => Math.ceil((timeout_ms / 1000) * MS_PER_SECOND),
    atNight(night) {
      upstream.night = night;
    },
    async close() {
      await upstream.close();
      await rm(raster_dir, { recursive: true, force: true });
    },
  };
}
