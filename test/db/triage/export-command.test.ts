import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { blankRow, insertRows } from './rows';

const COUNT = 3000;
let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase();
  await insertRows(
    database.pool,
    Array.from({ length: COUNT }, (_, i) => ({
      ...blankRow(i + 1),
      work_key: `k/${i}`,
      task_name: i % 3 === 0 ? 'a' : 'b',
      error_text: 'x'.repeat(500),
      sensitive: i === 0,
    })),
  );
});
afterAll(() => database?.drop());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dlo = path.join(import.meta.dirname, '../../../lib/cli/dlo.mjs');
function start(...args: string[]) {
  const child = spawn(process.execPath, [dlo, 'export', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, DLO_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, stderr: text(child.stderr), ended: once(child, 'exit').then(([code]) => code as number) };
}

test('a file gets what the filter takes, unmasked, says how much, and is not replaced without --force', async () => {
  const output = path.join(folder, 'taken.ndjson');
  const args = ['--format', 'ndjson', '--filter', 'task_name=a', '--output', output];
  const { stderr, ended } = start(...args);
  expect(await ended).toBe(0);
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).work_key)).toEqual(Array.from({ length: 1000 }, (_, i) => `k/${3 * i}`));
  expect(await stderr).toMatch(/Wrote .*taken\.ndjson\. 1,000 entries, [\d.]+ MB/);
  expect(readdirSync(folder)).toEqual(['taken.ndjson']);

  writeFileSync(output, 'mine');
  const refused = start(...args);
  expect(await refused.ended).toBe(1);
  expect(await refused.stderr).toContain('--force');
  expect(readFileSync(output, 'utf8')).toBe('mine');
  expect(await start(...args, '--force').ended).toBe(0);
  expect(readFileSync(output, 'utf8').trimEnd().split('\n')).toEqual(lines);
});

test('Ctrl-C leaves no file, also while the database does not answer', async () => {
  const output = path.join(folder, 'stopped.csv');
  const locker = await database.pool.connect();
  try {
    await locker.query('begin; lock table dlq.entry in access exclusive mode');
    const { child, ended, stderr } = start('--format', 'csv', '--output', output);
    await expect
      .poll(
        async () =>
          (
            await locker.query(
              `select count(*)::int as n from pg_locks where not granted and relation = 'dlq.entry'::regclass`,
            )
          ).rows[0].n,
        { timeout: 30_000 },
      )
      .toBe(1);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await stderr).toContain('there is no file');
  } finally {
    await locker.query('rollback');
    locker.release();
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a reader that has had enough ends it without an error; what cannot be asked for is told', async () => {
  const piped = start('--format', 'csv');
  await once(piped.child.stdout, 'data');
  piped.child.stdout.destroy();
  expect([await piped.ended, await piped.stderr]).toEqual([0, '']);
  const refused = start('--format', 'csv', '--filter', 'colour=red');
  expect(await refused.ended).toBe(1);
  expect(await refused.stderr).toContain('colour');
});
