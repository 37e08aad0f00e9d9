import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { createDb } from '@/db/client';
import { spoolLine } from '@/lib/capture/spool-line';
import { checkSource } from '@/lib/spool/check-source';
import { loadSource, workerName } from '@/lib/spool/load-source';
import { spoolDirectory } from '@/lib/spool/spool-directory';
import { copyRaw, line, rate, seeded } from './ingest';
import { more, type Row } from './row';

/** Files of a spool hold this many lines here: about a twentieth of what a client seals at 64 MB. */
const FILE_LINES = 2_000;

/** Lines per second from a spool directory into the queue, and of reading alone, against COPY of the same lines. */
export async function benchSpool(pool: pg.Pool, url: string, { quick }: { quick: boolean }): Promise<Row[]> {
  const count = quick ? 10_000 : 40_000;
  const random = seeded(11);
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-bench-spool-'));
  const source = spoolDirectory(folder);
  const spooled = (prefix: string, n: number) =>
    Array.from({ length: n }, (_, i) =>
      spoolLine(`{"capture_id":"${randomUUID()}",${line(i, random, prefix).slice(1)}`),
    );
  const fill = (lines: readonly Buffer[]) => {
    for (let i = 0; i < lines.length; i += FILE_LINES)
      writeFileSync(
        path.join(folder, `bench-1-00000000-${String(i).padStart(6, '0')}.ndjson`),
        Buffer.concat(lines.slice(i, i + FILE_LINES)),
      );
  };
  const load = async () => {
    const input = { db: createDb(pool), source, worker: workerName('bench'), blobs: null };
    await loadSource(input, new AbortController().signal);
  };
  const check = async () => {
    for await (const { rejected } of checkSource(source, {})) if (rejected > 0) throw new Error('a line was rejected');
  };
  try {
    fill(spooled('spool-warm', FILE_LINES));
    await check();
    await load();
    const lines = spooled('spool', count);
    await pool.query('create table if not exists raw_lines (line text)');
    const texts = lines.map((one) => one.toString('utf8', 0, one.length - 1));
    const copied = await rate(count, () => copyRaw(url, texts));
    fill(lines);
    const read = await rate(count, check);
    const loaded = await rate(count, load);
    const { rows } = await pool.query(
      "select sum(stored)::int as stored from dlq.spool_file where name like 'bench-%'",
    );
    if (rows[0].stored < count) throw new Error(`only ${rows[0].stored} of ${count} lines were stored`);
    fill(lines);
    const again = await rate(count, load);
    return [
      more('spool: raw COPY of the lines', copied, '/s', null),
      more('spool: check and read lines, storing nothing', read, '/s', copied),
      more('spool: load', loaded, '/s', copied),
      more('spool: load what was loaded before', again, '/s', copied),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
