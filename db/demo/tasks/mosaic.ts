import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sources } from '../sources/open-sources';
import { atLeast } from '../versions';
import type { Work } from '../work';

const CHILD = fileURLToPath(new URL('./mosaic-child.mjs', import.meta.url));

/** Resamples rasters onto one grid in a child process of its own heap. 2.14.1 works strip by strip. */
export async function mosaic(work: Work, version: string, sources: Sources): Promise<number> {
  const { cols, rows, memory_limit_mb, strip_rows } = work.params;
  const strip = atLeast(version, '2.14.1') ? strip_rows : rows;
  const files = (work.source_uris ?? []).map((uri) => join(sources.raster_dir, uri));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${memory_limit_mb}`, CHILD, String(cols), String(rows), String(strip), ...files],
    { cwd: tmpdir() },
  );
  return Number(stdout);
}
