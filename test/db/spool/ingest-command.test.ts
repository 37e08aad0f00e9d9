import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { plainFiles } from '@/lib/spool/plain-files';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { lockWaits } from '../../support/lock-waits';
import { startS3Stub } from '../../support/s3-stub';
import { captures, spoolBytes, spooledCapture } from '../../support/spool-lines';
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

const root = path.join(import.meta.dirname, '../../..');

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(root, 'lib/cli/dlo.mjs'), 'ingest', ...args], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DLO_BLOBS: path.join(world.folder, 'store'),
      DLO_LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [code]]) => ({ stdout, stderr, code: code as number | null }),
  );
  return { child, ended };
}

async function ingest(
  args: readonly string[],
  { stdin = '' as string | Uint8Array, environment = {} as Record<string, string> } = {},
) {
  const { child, ended } = start(args, environment);
  child.stdin.end(stdin);
  return ended;
}

test('plain files are loaded where they are; the summary names the side file, the exit code the rejected lines', async () => {
  const given = captures(0, 30);
  world.write('in/good.ndjson', spoolBytes(given.slice(0, 20)));
  world.write('in/bad.jsonl', `${spoolBytes(given.slice(20))}not json\n`);
  const folder = path.join(world.folder, 'in');
  const first = await ingest([folder]);
  expect(first).toMatchObject({ code: 1 });
  expect(first.stdout).toContain('31 lines');
  expect(first.stdout).toContain('30 stored, 0 counted before, 1 rejected.');
  expect(first.stdout).toContain(`Rejected lines: ${path.join(folder, 'bad.jsonl.rejected')}`);
  expect(world.names('in')).toEqual(['bad.jsonl', 'bad.jsonl.rejected', 'good.ndjson']);
  await expectStoredOnce(database, given);
  const again = await ingest([path.join(folder, 'good.ndjson'), '--json']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ lines: 0, stored: 0, rejected: 0, left: [], open_before: [] });
  const whole = await ingest([folder]);
  expect(whole.code).toBe(1);
  expect(whole.stdout).toContain(
    `Still open from before: 1 rejected line of ${folder}/bad.jsonl, kept in ${folder}/bad.jsonl.rejected.`,
  );
  await database.pool.query("update dlq.rejected_line set dismissed_at = now(), dismissed_by = 'ada'");
  expect(await ingest([folder])).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Still open') });
});

test('a dry run checks every line, shows the bad ones by number and stores nothing', async () => {
  const given = captures(100, 5);
  world.write('in/a.ndjson', `${spoolBytes(given)}{"work_key":"x"}\n`);
  const { code, stdout, stderr } = await ingest(['--dry-run', path.join(world.folder, 'in')]);
  expect(code).toBe(1);
  expect(stdout).toContain('5 can be taken, 1 cannot. Nothing was stored.');
  expect(stderr).toContain('a.ndjson:6: refused: task_name is missing');
  await expectStoredOnce(database, []);
  expect(
    (await database.pool.query('select 1 from dlq.spool_file where source = $1', [path.join(world.folder, 'in')])).rows,
  ).toEqual([]);
});

test('a folder that clients have spooled to is loaded as the worker would, what their ends left open too', async () => {
  const given = captures(200, 4);
  world.write('other-1-0a0b0c0d-000001.ndjson', spoolBytes(given));
  expect(await ingest([world.folder])).toMatchObject({ code: 0 });
  await expectStoredOnce(database, given);
  expect(world.names('loaded')).toEqual(['other-1-0a0b0c0d-000001.ndjson']);
});

test('standard input is loaded; again, a line counts once where it says its moment, and else once more', async () => {
  const dated = { work_key: 'piped/1', task_name: 't', failed_at: '2026-11-30T02:00:00Z' };
  const stdin = [dated, { work_key: 'piped/2', task_name: 't' }].map((one) => `${JSON.stringify(one)}\n`).join('');
  expect((await ingest(['-', '--json'], { stdin })).code).toBe(0);
  const { stdout } = await ingest(['-', '--json'], { stdin });
  expect(JSON.parse(stdout)).toMatchObject({ lines: 2, stored: 1, duplicates: 1 });
});

test('what comes through a pipe is named as such, and its rejected lines with the place where they are kept', async () => {
  const folder = path.join(world.folder, 'kept');
  expect(await ingest(['-', '--rejected', folder], { stdin: 'not json\n' })).toMatchObject({ code: 1 });
  const { rows } = await database.pool.query('select name, side_file from dlq.spool_file where side_file like $1', [
    `${folder}%`,
  ]);
  const [kept] = world.names('kept');
  expect(rows).toEqual([
    { name: expect.stringMatching(/^standard input, 2\d{3}-/), side_file: path.join(folder, `${kept}`) },
  ]);
});

test('a packed file is refused with the way to load it, and leaves no rejected line', async () => {
  const packed = gzipSync(spoolBytes(captures(400, 3)));
  world.write('in/night.ndjson', packed);
  const folder = path.join(world.folder, 'in');
  const of_file = await ingest([folder]);
  expect(of_file.code).toBe(2);
  expect(of_file.stdout).toContain('run “zcat night.ndjson | npx dlo ingest -”');
  expect(world.names('in')).toEqual(['night.ndjson']);
  expect(await ingest(['--dry-run', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('packed by gzip'),
  });
  expect(await ingest(['-'], { stdin: packed })).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('run “zcat FILE | npx dlo ingest -”'),
  });
});

test('a bucket is loaded, as a spool or as plain objects', async () => {
  const stub = await startS3Stub({ bucket: 'bucket' });
  try {
    const [spooled, plain] = [captures(300, 3), captures(310, 3)];
    const modified_at = '2026-11-30T12:00:00.000Z';
    stub.objects.set('team/spool/h-1-00000001-000001.ndjson', { body: spoolBytes(spooled), modified_at });
    stub.objects.set('plain/x.ndjson', { body: spoolBytes(plain), modified_at });
    const { code } = await ingest(['s3://bucket/team', 's3://bucket/plain'], { environment: stub.environment });
    expect(code).toBe(0);
    await expectStoredOnce(database, [...spooled, ...plain]);
    expect([...stub.objects.keys()].sort()).toEqual(['plain/x.ndjson', 'team/loaded/h-1-00000001-000001.ndjson']);
  } finally {
    await stub.stop();
  }
});

test('Ctrl-C ends after a chunk and says how to go on; running it again stores the rest once', async () => {
  const given = captures(10_000, 6_000);
  const in_third_chunk = spooledCapture(12_500);
  world.write('before/a.ndjson', spoolBytes([in_third_chunk]));
  await world.load({ source: plainFiles(path.join(world.folder, 'before'), new Set(['a.ndjson'])) });
  world.write('in/large.ndjson', spoolBytes(given));
  const holder = await database.pool.connect();
  try {
    await holder.query("begin; select 1 from dlq.entry where work_key = 'unit/12500' for update");
    const { child, ended } = start([path.join(world.folder, 'in')]);
    const said = new Promise<void>((resolve) => {
      child.stderr.on('data', (piece) => String(piece).includes('Stopping after this chunk') && resolve());
    });
    await lockWaits(database.pool);
    child.kill('SIGINT');
    await said;
    await holder.query('rollback');
    const { code, stdout } = await ended;
    expect(code).toBe(2);
    expect(stdout).toContain('3000 stored');
    expect(stdout).toContain('Run the same command again to go on from here.');
  } finally {
    holder.release();
  }
  const { code, stdout } = await ingest([path.join(world.folder, 'in'), '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ lines: 3000, stored: 3000, duplicates: 0 });
  await expectStoredOnce(database, [in_third_chunk, ...given]);
});

test('what cannot run says why and ends with 2', async () => {
  const absent = await ingest([path.join(world.folder, 'absent.ndjson')]);
  expect(absent.code).toBe(2);
  expect(absent.stderr).toContain('there is no file or folder');
  const bucket = await ingest(['s3://bucket/x'], { environment: { AWS_ACCESS_KEY_ID: '' } });
  expect(bucket.code).toBe(2);
  expect(bucket.stderr).toContain('AWS_ACCESS_KEY_ID');
  expect(bucket.stderr).not.toContain('    at ');
});
