import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { workerName } from '@/lib/spool/load-source';
import { bundled } from '../../support/bundled';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { captures, spoolBytes } from '../../support/spool-lines';
import { expectStoredOnce, makeSpoolWorld, type SpoolWorld } from './spool-world';

let database: TestDatabase;
let world: SpoolWorld;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => {
  world = makeSpoolWorld(database);
});
afterEach(() => world.remove());

const program = path.join(import.meta.dirname, 'loader-process.ts');

/** Runs a loader process until it ends or kills itself. */
async function run(kill_at: number): Promise<{ signal: NodeJS.Signals | null; code: number | null }> {
  const child = spawn(process.execPath, [await bundled(program), database.url, world.folder, String(kill_at)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
}

/** A file with a bad line in every chunk: each of its chunks has something beside the database to write. */
function fileWithBadLines(from: number, count: number) {
  const given = captures(from, count);
  const lines = spoolBytes(given).toString().split('\n').slice(0, -1);
  const bad = lines.flatMap((_, i) => (i % 5 === 2 ? [i] : []));
  for (const i of bad) lines[i] = `${lines[i]?.slice(0, -9)}damaged!}`;
  return { bytes: `${lines.join('\n')}\n`, good: given.filter((_, i) => !bad.includes(i)), bad: bad.map((i) => i + 1) };
}

test('a loader killed at any step, again and again, leaves every line stored once or rejected once', async () => {
  const files = { 'a.ndjson': fileWithBadLines(0, 23), 'b.ndjson': fileWithBadLines(100, 17) };
  for (const [name, { bytes }] of Object.entries(files)) world.write(name, bytes);
  let kills = 0;
  for (let at = 1; ; at++) {
    const { code, signal } = await run(at);
    if (signal !== 'SIGKILL') {
      expect(code).toBe(0);
      break;
    }
    kills += 1;
  }
  expect(kills).toBeGreaterThan(5);
  await expectStoredOnce(
    database,
    Object.values(files).flatMap(({ good }) => good),
  );
  for (const [name, { bad, good }] of Object.entries(files)) {
    expect((await world.rejected(name)).map(({ line }) => line)).toEqual(bad);
    expect(world.sideLines(name).map(({ line }) => line)).toEqual(bad);
    expect(await world.file(name)).toMatchObject({
      state: 'loaded',
      stored: good.length,
      duplicates: 0,
      rejected: bad.length,
    });
  }
  expect(world.names()).toEqual(['loaded', 'rejected']);
}, 120_000);

test('two loaders at once share the files and load none twice', async () => {
  const given = Array.from({ length: 8 }, (_, i) => captures(1000 + 100 * i, 20));
  given.forEach((some, i) => {
    world.write(`${i}.ndjson`, spoolBytes(some));
  });
  const began: string[] = [];
  const load = (worker: string) =>
    world.load({ worker: workerName(worker), on_loaded: ({ name }) => began.push(name) });
  const counts = await Promise.all([load('one'), load('two')]);
  expect(counts[0] + counts[1]).toBe(8);
  expect(began.toSorted()).toEqual(given.map((_, i) => `${i}.ndjson`));
  await expectStoredOnce(database, given.flat());
  const { rows } = await database.pool.query('select sum(duplicates)::int as n from dlq.spool_file where source = $1', [
    world.folder,
  ]);
  expect(rows).toEqual([{ n: 0 }]);
});

test('a loader that stood still past its lease stores nothing more of a file that another has taken over', async () => {
  const given = captures(3000, 20);
  world.write('taken.ndjson', spoolBytes(given));
  let taken_over: Promise<number> | undefined;
  await world.load({
    worker: workerName('slow'),
    on_progress() {
      // between two chunks: the lease has run out, and the other loads the rest before this one goes on
      taken_over ??= database.pool
        .query("update dlq.spool_file set lease_until = now() - interval '1 s' where name = 'taken.ndjson'")
        .then(() => world.load({ worker: workerName('quick') }));
    },
  });
  expect(taken_over).toBeDefined();
  await taken_over;
  await expectStoredOnce(database, given);
  expect(await world.file('taken.ndjson')).toMatchObject({ state: 'loaded', stored: 20, duplicates: 0 });
});

test('a loader asked to stop ends after a chunk, and the next goes on there', async () => {
  const given = captures(4000, 20);
  world.write('stopped.ndjson', spoolBytes(given));
  const stopping = new AbortController();
  await world.load({ on_progress: () => stopping.abort() }, stopping.signal);
  const file = await world.file('stopped.ndjson');
  expect(file).toMatchObject({ state: 'waiting', worker: null });
  expect(file?.lines).toBeLessThan(20);
  expect(file?.lines).toBeGreaterThan(0);
  await world.load();
  await expectStoredOnce(database, given);
  expect(await world.file('stopped.ndjson')).toMatchObject({ state: 'loaded', stored: 20, duplicates: 0 });
});
