import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { openSource } from '@/lib/spool/open-source';
import { plainFiles } from '@/lib/spool/plain-files';
import { retryRejected } from '@/lib/spool/retry-rejected';
import type { SpoolSource } from '@/lib/spool/spool-source';
import { standardInput } from '@/lib/spool/standard-input';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { type S3Stub, startS3Stub } from '../../support/s3-stub';
import { captures, spoolBytes, spooledCapture } from '../../support/spool-lines';
import { expectStoredOnce, makeSpoolWorld, type SpoolWorld } from './spool-world';

let database: TestDatabase;
let world: SpoolWorld;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  // what a newer version takes: work keys that begin with "later"
  await database.pool.query(`
    create table switch (refuses boolean); insert into switch values (true);
    create function refuse_later() returns trigger language plpgsql as $$ begin
      if new.work_key like 'later%' and (select refuses from switch) then raise 'not yet'; end if; return new; end $$;
    create trigger refuse_later before insert on dlq.entry for each row execute function refuse_later()`);
});
afterAll(() => database?.drop());
beforeEach(async () => {
  world = makeSpoolWorld(database);
  vi.stubEnv('DLO_BLOBS', path.join(world.folder, 'store'));
  await database.pool.query('update switch set refuses = true');
});
afterEach(() => world.remove());

const takeNow = () => database.pool.query('update switch set refuses = false');
const at = (...names: string[]) => path.join(world.folder, ...names);
const retry = (id: string) => retryRejected({ db: database.db, actor: { name: 'ann' } }, id);
/** Longer than what a row holds. */
const long = (i: number) => spooledCapture(i, { work_key: `later/${i}`, params: { note: 'é'.repeat(5_000) } });
const lineOf = async (source: string) =>
  (
    await database.pool.query(
      `select r.id, r.reason, r.message, r.is_whole, r.dismissed_by, r.entry_id from dlq.rejected_line r
       join dlq.spool_file f on f.id = r.spool_file_id where f.source = $1 order by r.spool_file_id desc, r.line`,
      [source],
    )
  ).rows[0];
/** A file whose middle line was not taken; answers that capture and the row. */
async function rejectMiddle(i: number, source?: SpoolSource) {
  const capture = long(i);
  const bytes = spoolBytes([...captures(i + 1, 2), capture, ...captures(i + 3, 2)]);
  if (!source) world.write('a.ndjson', bytes);
  const load = async (from?: SpoolSource) => {
    await world.load(from ? { source: from } : {});
    const row = await lineOf(from?.url ?? world.folder);
    expect(row).toMatchObject({ reason: 'unprocessable', is_whole: false, dismissed_by: null });
    await takeNow();
    return row.id as string;
  };
  return { capture, bytes, load };
}

describe('a line that its row does not hold whole is tried again with the bytes that were rejected', () => {
  test('from the loaded copy of its file', async () => {
    const { capture, load } = await rejectMiddle(2000);
    const id = await load();
    expect(await retry(id)).toMatchObject({ work_key: capture.work_key, outcome: 'created' });
    await expectStoredOnce(database, [capture]);
    expect(await lineOf(world.folder)).toMatchObject({ dismissed_by: 'ann', entry_id: expect.any(String) });
    await expect(retry(id)).rejects.toMatchObject({ code: 'conflict' });
    const { rows } = await database.pool.query(
      'select p.params from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = $1',
      [capture.work_key],
    );
    expect(rows[0].params).toEqual(capture.params);
  });

  test('from another loaded copy, where a file of the same name was loaded before', async () => {
    const { capture, load } = await rejectMiddle(2010);
    mkdirSync(at('loaded'));
    writeFileSync(at('loaded', 'a.ndjson'), spoolBytes(captures(2018, 5)));
    const id = await load();
    rmSync(at('rejected'), { recursive: true });
    await retry(id);
    await expectStoredOnce(database, [capture]);
  });

  test('from the side file, when the file is gone or was changed', async () => {
    for (const [i, spoil] of [
      () => rmSync(at('loaded'), { recursive: true }),
      () => writeFileSync(at('loaded', 'a.ndjson'), readFileSync(at('loaded', 'a.ndjson')).fill('x', 4_000, 4_010)),
    ].entries()) {
      await database.pool.query('update switch set refuses = true');
      const { capture, load } = await rejectMiddle(2020 + 10 * i);
      const id = await load();
      spoil();
      await retry(id);
      await expectStoredOnce(database, [capture]);
      world.remove();
      world = makeSpoolWorld(database);
    }
  });

  test('from a plain file, and from the side file beside it', async () => {
    for (const i of [2040, 2050]) {
      await database.pool.query('update switch set refuses = true');
      const source = plainFiles(world.folder, new Set(['a.ndjson']));
      const { capture, bytes, load } = await rejectMiddle(i, source);
      world.write('a.ndjson', bytes);
      const id = await load(source);
      expect(world.names()).toEqual(['a.ndjson', 'a.ndjson.rejected']);
      rmSync(at(i === 2040 ? 'a.ndjson.rejected' : 'a.ndjson'));
      await retry(id);
      await expectStoredOnce(database, [capture]);
      world.remove();
      world = makeSpoolWorld(database);
    }
  });

  test('from a side file that stands where its loader was told to put it', async () => {
    const capture = long(2056);
    const source = standardInput(Readable.from([spoolBytes([capture])]), at('elsewhere'));
    const { load } = await rejectMiddle(2057, source);
    await retry(await load(source));
    await expectStoredOnce(database, [capture]);
  });

  test('where the version that rejected it took only shorter lines; a geometry over the size rule becomes a blob', async () => {
    const geom_wkt = `LINESTRING(${Array.from({ length: 90_000 }, (_, k) => `${k / 1000} ${k / 2000}`).join(',')})`;
    expect(geom_wkt.length).toBeGreaterThan(SIZE_RULE_BYTES);
    const capture = spooledCapture(2060, { geom_wkt });
    world.write('a.ndjson', Buffer.concat([Buffer.from(' '), spoolBytes([capture])]));
    await world.load();
    const { id, reason } = await lineOf(world.folder);
    expect(reason).toBe('too_long');
    await retry(id);
    await expectStoredOnce(database, [capture]);
    const { rows } = await database.pool.query(
      'select p.payload_ref from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = $1',
      [capture.work_key],
    );
    expect(rows[0].payload_ref).toMatch(/^sha256:/);
  });
});

describe('a line whose bytes cannot be had stays open, and the answer says why', () => {
  test('where they are gone', async () => {
    const id = await (await rejectMiddle(2100)).load();
    rmSync(at('loaded'), { recursive: true });
    rmSync(at('rejected'), { recursive: true });
    await expect(retry(id)).rejects.toMatchObject({
      code: 'unprocessable',
      message: `only the beginning of line 3 of a.ndjson is kept here: this server finds neither the file, nor its loaded copy, nor its side file in ${world.folder}`,
    });
    expect(await lineOf(world.folder)).toMatchObject({ dismissed_by: null, reason: 'unprocessable' });
  });

  test('where they came through a pipe', async () => {
    const bytes = spoolBytes([long(2105)]);
    const source = standardInput(Readable.from([bytes]), world.folder);
    const { load } = await rejectMiddle(2106, source);
    const id = await load(source);
    const side_file = source.sideFile('');
    expect(world.names()).toContain(path.basename(side_file));
    rmSync(side_file);
    await expect(retry(id)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining(`(${side_file})`),
    });
  });

  test('where every place holds others: shorter, longer or changed', async () => {
    const { capture, bytes, load } = await rejectMiddle(2110);
    const id = await load();
    rmSync(at('rejected'), { recursive: true });
    const changed = Buffer.from(bytes);
    changed.write('unit/2999', bytes.indexOf(String(capture.capture_id)));
    for (const other of [
      changed,
      bytes.subarray(0, 2_000),
      Buffer.concat([Buffer.from('\n'), bytes]),
      Buffer.alloc(0),
    ]) {
      writeFileSync(at('loaded', 'a.ndjson'), other);
      await expect(retry(id)).rejects.toMatchObject({
        code: 'unprocessable',
        message: expect.stringMatching(/loaded\/a.ndjson does not hold the bytes that were rejected$/),
      });
    }
    writeFileSync(at('loaded', 'a.ndjson'), bytes);
    renameSync(at('loaded', 'a.ndjson'), at('a.ndjson'));
    await retry(id);
    await expectStoredOnce(database, [capture]);
  });

  test('where they cannot be read', async () => {
    const id = await (await rejectMiddle(2120)).load();
    rmSync(at('loaded', 'a.ndjson'));
    mkdirSync(at('loaded', 'a.ndjson'));
    await expect(retry(id)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/loaded\/a.ndjson cannot be read now: EISDIR/),
    });
  });
});

test('a line that is refused again keeps the reason why it is refused now', async () => {
  world.write('a.ndjson', `${'z'.repeat(5_000)}\n`);
  await world.load();
  const { id } = await lineOf(world.folder);
  await database.pool.query("update dlq.rejected_line set reason = 'checksum', message = 'as it was' where id = $1", [
    id,
  ]);
  await expect(retry(id)).rejects.toMatchObject({
    code: 'unprocessable',
    message: expect.stringMatching(/^line 1 of a.ndjson cannot be taken: not JSON/),
    details: { reason: 'not_json' },
  });
  expect(await lineOf(world.folder)).toMatchObject({
    reason: 'not_json',
    message: expect.stringMatching(/^not JSON/),
    dismissed_by: null,
  });
});

test('a line that the database fails on again stays open', async () => {
  const { load } = await rejectMiddle(2200);
  const id = await load();
  await database.pool.query('update switch set refuses = true');
  await expect(retry(id)).rejects.toMatchObject({ code: 'unprocessable', details: { reason: 'unprocessable' } });
  expect(await lineOf(world.folder)).toMatchObject({ dismissed_by: null });
});

describe('a line of a bucket', () => {
  let stub: S3Stub;
  beforeEach(async () => {
    stub = await startS3Stub({ bucket: 'spool' });
    for (const [name, value] of Object.entries(stub.environment)) vi.stubEnv(name, value);
  });
  afterEach(() => stub.stop());

  const NAME = 'h-1-00000001-000001.ndjson';
  async function loaded(i: number) {
    const url = `${stub.url}/team-${i}`;
    const source = openSource(url, stub.environment);
    const { capture, bytes, load } = await rejectMiddle(i, source);
    stub.objects.set(`team-${i}/spool/${NAME}`, { body: bytes, modified_at: '2026-11-30T12:00:00.000Z' });
    return { id: await load(source), capture, url, key: (name: string) => `team-${i}/${name}` };
  }

  test('is read from the loaded object, else from the side objects, and stays open while the bucket is away', async () => {
    const one = await loaded(2300);
    vi.stubEnv('DLO_S3_ENDPOINT', 'http://127.0.0.1:1');
    await expect(retry(one.id)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/^s3:\/\/spool\/team-2300\/spool\/.* cannot be read now/),
    });
    vi.stubEnv('DLO_S3_ENDPOINT', stub.environment.DLO_S3_ENDPOINT ?? '');
    await retry(one.id);
    await expectStoredOnce(database, [one.capture]);
    await database.pool.query('update switch set refuses = true');
    const other = await loaded(2310);
    stub.objects.delete(other.key(`loaded/${NAME}`));
    await retry(other.id);
    await expectStoredOnce(database, [other.capture]);
  });

  test('is named with what this server lacks to read it, where its row does not hold it whole', async () => {
    const { id, capture } = await loaded(2320);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(retry(id)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/AWS_SECRET_ACCESS_KEY/),
    });
    const { params: _, ...short } = capture;
    await database.pool.query('update dlq.rejected_line set head = $2, is_whole = true where id = $1', [
      id,
      JSON.stringify(short),
    ]);
    await retry(id);
    await expectStoredOnce(database, [capture]);
  });
});
