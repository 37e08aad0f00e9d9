import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { Db } from '@/db/client';
import { type LoadSourceInput, loadSource, workerName } from '@/lib/spool/load-source';
import { spoolDirectory } from '@/lib/spool/spool-directory';
import type { TestDatabase } from '../../support/database';

/** A spool directory of its own and what the database says of it. */
export interface SpoolWorld {
  folder: string;
  write: (name: string, bytes: Uint8Array | string) => void;
  /** Names in the folder, or in one below it. */
  names: (below?: string) => string[];
  sideLines: (name: string) => { file: string; line: number; reason: string; text: string }[];
  load: (more?: Partial<LoadSourceInput>, signal?: AbortSignal) => Promise<number>;
  file: (name: string) => Promise<Record<string, unknown> | undefined>;
  rejected: (name: string) => Promise<Record<string, unknown>[]>;
  remove: () => void;
}

export const SMALL_CHUNKS = { chunk_lines: 5, chunk_bytes: 1_000_000, max_line_bytes: 100_000 };

export function makeSpoolWorld({ pool, db }: { pool: TestDatabase['pool']; db: Db }): SpoolWorld {
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-spool-'));
  const at = (...names: string[]) => path.join(folder, ...names);
  const source = spoolDirectory(folder);
  const rows = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
  return {
    folder,
    write(name, bytes) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), bytes);
    },
    names: (below = '') => readdirSync(at(below)).sort(),
    sideLines: (name) =>
      readFileSync(at('rejected', name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    load: (more = {}, signal = new AbortController().signal) =>
      loadSource({ db, source, worker: workerName('test'), blobs: null, limits: SMALL_CHUNKS, ...more }, signal),
    file: async (name) =>
      (
        await rows(
          `select id, state, error, worker, done_bytes::int, lines::int, stored::int, duplicates::int, rejected::int
           from dlq.spool_file where source = $1 and name = $2`,
          [folder, name],
        )
      )[0],
    rejected: (name) =>
      rows(
        `select r.line::int, r.byte_offset::int, r.reason, r.head, r.is_whole
         from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id
         where f.source = $1 and f.name = $2 order by r.line`,
        [folder, name],
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every given capture is stored exactly once, and attempts are occurrences. */
export async function expectStoredOnce(
  { pool }: TestDatabase,
  given: readonly Record<string, unknown>[],
): Promise<void> {
  const { rows } = await pool.query(
    'select o.capture_id, e.work_key from dlq.occurrence o join dlq.entry e on e.id = o.entry_id where e.work_key = any ($1)',
    [given.map(({ work_key }) => work_key)],
  );
  expect(rows.map((row) => row.capture_id).sort()).toEqual(given.map(({ capture_id }) => capture_id).sort());
  const wrong = await pool.query(
    'select work_key from dlq.entry e where attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id)',
  );
  expect(wrong.rows).toEqual([]);
}
