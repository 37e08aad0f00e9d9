import { fork } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { EXPORT_FORMATS } from '@/lib/contract/export';
import { generateEntries } from '@/test/bench/generate/entries';
import { bundled } from '@/test/support/bundled';
import { less, more, type Row } from './row';

interface Measured {
  entries: number;
  bytes: number;
  seconds: number;
  /** The most that the process had held when half was read, and in the end. */
  half_mb: number;
  peak_mb: number;
}

/**
 * Entries a second and the most memory of an export in each format, each by a process of its own, over `count` generated
 * entries in an empty migrated database (`filled`: they are there already). The rate stands beside that of reading the
 * pages alone; the memory beside the one that reading them takes.
 */
export async function benchExport(
  pool: pg.Pool,
  url: string,
  { count, filled = false }: { count: number; filled?: boolean },
): Promise<Row[]> {
  if (!filled) await generateEntries(pool, count);
  const read = await measure(url, 'read', count);
  const read_rate = read.entries / read.seconds;
  const rows: Row[] = [more('export: reading alone', read_rate, 'entries/s', null)];
  for (const format of EXPORT_FORMATS) {
    const { entries, seconds, bytes, half_mb, peak_mb } = await measure(url, format, count);
    if (entries !== read.entries) throw new Error(`${format} had ${entries} of ${read.entries} entries`);
    rows.push(
      more(`export ${format}`, entries / seconds, 'entries/s', read_rate),
      less(`export ${format}: a file of ${count} entries`, bytes / 1e6, 'MB', null),
      less(`export ${format}: most memory`, peak_mb, 'MB', read.peak_mb),
      less(`export ${format}: more memory for the second half`, Math.max(0.1, peak_mb - half_mb), 'MB', null),
    );
  }
  return rows;
}

async function measure(url: string, format: string, count: number): Promise<Measured> {
  const child = fork(await bundled('test/bench/export-process.ts'), [], {
    // none of the loader that runs the bench
    execArgv: [],
    env: { ...process.env, DATABASE_URL: url, DLO_LOG_LEVEL: 'silent', FORMAT: format, ENTRIES: String(count) },
  });
  const said = once(child, 'message');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the export as ${format} ended with ${code}`);
  });
  const [measured] = (await Promise.race([said, ended])) as [Measured];
  return measured;
}
