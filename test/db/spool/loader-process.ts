import { createDb, createPool } from '@/db/client';
import { loadSource, workerName } from '@/lib/spool/load-source';
import { spoolDirectory } from '@/lib/spool/spool-directory';
import type { SpoolSource } from '@/lib/spool/spool-source';

/**
 * A loader as a process of its own: `loader-process.ts URL FOLDER KILL_AT`. At its KILL_AT-th step it kills itself with
 * SIGKILL, which leaves no time for anything; 0 lets it come to its end. Steps lie before and after all that lasts.
 */
const [url = '', folder = '', kill_at = '0'] = process.argv.slice(2);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(kill_at)) process.kill(process.pid, 'SIGKILL');
}

const directory = spoolDirectory(folder);
const source: SpoolSource = {
  ...directory,
  async fingerprint(name, bytes) {
    const mark = await directory.fingerprint(name, bytes);
    step(); // read, and nothing of the chunk stored
    return mark;
  },
  async reject(name, lines) {
    step(); // stored and not committed, nothing in the side file
    await directory.reject(name, lines);
    step(); // in the side file, not committed
  },
  async retire(name) {
    step(); // loaded, not moved
    await directory.retire(name);
    step(); // moved
  },
};

const pool = createPool(url, { application_name: 'dlo test loader', max: 4 });
await loadSource(
  {
    db: createDb(pool),
    source,
    worker: workerName('child'),
    blobs: null,
    limits: { chunk_lines: 5, chunk_bytes: 1_000_000, max_line_bytes: 100_000 },
    on_progress: step, // committed
  },
  new AbortController().signal,
);
await pool.end();
process.stdout.write(`${steps} steps\n`);
