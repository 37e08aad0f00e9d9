import { copyFileSync, existsSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryStore } from '@/lib/blobs/directory-store';
import { plainFiles } from '@/lib/spool/plain-files';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { sha256Of } from '../../support/sha256-of';
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

const attemptsOf = async (key: string) =>
  (await database.pool.query('select attempts from dlq.entry where work_key = $1', [key])).rows[0]?.attempts;

/** From now on an occurrence whose error_text is `fail:<SQLSTATE>` fails with it. */
const failOnMark = () =>
  database.pool.query(`
    create or replace function dlq.fail_on_mark() returns trigger language plpgsql as $$
    begin
      if new.error_text like 'fail:%' then raise exception 'marked' using errcode = substr(new.error_text, 6); end if;
      return new;
    end $$;
    create or replace trigger fail_on_mark before insert on dlq.occurrence for each row execute function dlq.fail_on_mark()`);

const loadPlain = (below: string, name: string) =>
  world.load({ source: plainFiles(path.join(world.folder, below), new Set([name])) });

describe('a spool directory is loaded', () => {
  test('every capture is stored once by the door “spool”, and the file is moved', async () => {
    const given = captures(0, 23);
    world.write('a.ndjson', spoolBytes(given));
    expect(await world.load()).toBe(1);
    await expectStoredOnce(database, given);
    expect(await world.file('a.ndjson')).toMatchObject({
      state: 'loaded',
      lines: 23,
      stored: 23,
      rejected: 0,
      worker: null,
    });
    expect(world.names()).toEqual(['loaded']);
    expect(world.names('loaded')).toEqual(['a.ndjson']);
    const { rows } = await database.pool.query('select distinct via from dlq.occurrence');
    expect(rows).toEqual([{ via: 'spool' }]);
  });

  test('bad lines go to the side file and the table with number, place and reason; the rest is stored', async () => {
    const given = captures(100, 12);
    const lines = spoolBytes(given).toString().split('\n').slice(0, -1);
    lines[2] = `${lines[2]?.slice(0, 120)}`;
    lines[6] = lines[6]?.replace('reproject', 'reprojekt') ?? '';
    lines[7] = 'not json';
    lines[9] = '{"work_key":"x","task_name":"t","unheard_of":1}';
    const whole = Buffer.from(`${lines.join('\n')}\n`);
    world.write('bad.ndjson', whole);
    await world.load();
    await expectStoredOnce(
      database,
      given.filter((_, i) => ![2, 6, 7, 9].includes(i)),
    );
    const rejected = await world.rejected('bad.ndjson');
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'torn'],
      [7, 'checksum'],
      [8, 'not_json'],
      [10, 'refused'],
    ]);
    for (const { line, byte_offset, head, is_whole } of rejected) {
      expect(head).toBe(lines[Number(line) - 1]);
      expect(whole.subarray(Number(byte_offset)).toString().startsWith(String(head))).toBe(true);
      expect(is_whole).toBe(true);
    }
    expect(world.sideLines('bad.ndjson').map(({ file, line, text }) => [file, line, text])).toEqual(
      rejected.map(({ line, head }) => ['bad.ndjson', line, head]),
    );
  });

  test.each(['22003', 'XX000'])('a line on which the database fails with %s is rejected alone', async (state) => {
    await failOnMark();
    const given = captures(state === 'XX000' ? 200 : 250, 13);
    given[3] = { ...given[3], error_text: `fail:${state}` };
    given[11] = { ...given[11], error_text: `fail:${state}` };
    world.write('refused.ndjson', spoolBytes(given));
    await world.load();
    await expectStoredOnce(
      database,
      given.filter((_, i) => i !== 3 && i !== 11),
    );
    expect((await world.rejected('refused.ndjson')).map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'unprocessable'],
      [12, 'unprocessable'],
    ]);
  });

  test('a file on which the database fails whole waits, and holds up no other', async () => {
    await failOnMark();
    const [stuck, other] = [captures(270, 3), captures(280, 3)];
    stuck[1] = { ...stuck[1], error_text: 'fail:42501' };
    world.write('1.ndjson', spoolBytes(stuck));
    world.write('2.ndjson', spoolBytes(other));
    await world.load();
    expect(await world.file('1.ndjson')).toMatchObject({
      state: 'failed',
      lines: 0,
      error: expect.stringMatching(/42501/),
    });
    await expectStoredOnce(database, other);
    await database.pool.query('drop trigger fail_on_mark on dlq.occurrence');
    await database.pool.query("update dlq.spool_file set lease_until = now() where name = '1.ndjson'");
    await world.load();
    await expectStoredOnce(database, stuck);
  });

  test('a line that is no UTF-8 is kept as base64, and one over the limit by its beginning', async () => {
    const good = captures(300, 2);
    const [first, second] = good.map((one) => spoolBytes([one]));
    const bad = Buffer.concat([Buffer.from('{"work_key":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n')]);
    const long = Buffer.from(`{"work_key":"${'y'.repeat(150_000)}"}\n`);
    world.write('odd.ndjson', Buffer.concat([first as Buffer, bad, long, second as Buffer]));
    await world.load();
    await expectStoredOnce(database, good);
    expect((await world.rejected('odd.ndjson')).map(({ line, reason, is_whole }) => [line, reason, is_whole])).toEqual([
      [2, 'not_utf8', false],
      [3, 'too_long', false],
    ]);
    const [utf8, cut] = world.sideLines('odd.ndjson') as unknown as Record<string, unknown>[];
    expect(Buffer.from(String(utf8?.base64), 'base64')).toEqual(bad.subarray(0, -1));
    expect(cut).toMatchObject({ is_whole: false });
    expect(String(cut?.text)).toHaveLength(4096);
  });
});

describe('what comes again counts once', () => {
  test('a loaded file put back, copied under another name, or in another order adds nothing', async () => {
    const given = captures(400, 9);
    world.write('one.ndjson', spoolBytes(given));
    await world.load();
    renameSync(path.join(world.folder, 'loaded/one.ndjson'), path.join(world.folder, 'one.ndjson'));
    await world.load();
    copyFileSync(path.join(world.folder, 'loaded/one.ndjson'), path.join(world.folder, 'two.ndjson'));
    world.write('three.ndjson', spoolBytes(given.toReversed()));
    await world.load();
    await expectStoredOnce(database, given);
    expect(await world.file('two.ndjson')).toMatchObject({ stored: 0, duplicates: 9 });
    expect(await world.file('three.ndjson')).toMatchObject({ stored: 0, duplicates: 9 });
    expect(world.names()).toEqual(['loaded']);
  });

  test('a line that brings its failed_at and no id: in a copy, under another name, and twice in one file', async () => {
    const line = JSON.stringify({ work_key: 'dated/1', task_name: 't', failed_at: '2026-11-30T02:00:00Z' });
    world.write('x/plain.ndjson', `\ufeff${line}\r\n\r\n${line}`);
    world.write('y/copied.ndjson', `${line}\n`);
    await loadPlain('x', 'plain.ndjson');
    await loadPlain('y', 'copied.ndjson');
    expect(await attemptsOf('dated/1')).toBe(1);
    expect(existsSync(path.join(world.folder, 'x/plain.ndjson'))).toBe(true);
  });
});

describe('a line that brings neither id nor moment is one failure of its file', () => {
  let [key, line, tests] = ['', '', 0];
  beforeEach(() => {
    key = `bare/${++tests}`;
    line = `${JSON.stringify({ work_key: key, task_name: 't' })}\n`;
  });

  test('and counts for each night whose file has the same name and text', async () => {
    world.write('d1/failures.ndjson', line + line);
    world.write('d2/failures.ndjson', line + line);
    for (const night of ['d1', 'd2', 'd1', 'd2']) await loadPlain(night, 'failures.ndjson');
    expect(await attemptsOf(key)).toBe(4);
  });

  test('and counts again where the file is written anew, but not where it grew', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 2, minute));
    const write = (text: string, minute: number) => {
      world.write('failures.ndjson', text);
      utimesSync(path.join(world.folder, 'failures.ndjson'), at(minute), at(minute));
    };
    write(line, 0);
    await loadPlain('', 'failures.ndjson');
    write(line + line, 1);
    await loadPlain('', 'failures.ndjson');
    expect(await attemptsOf(key)).toBe(2);
    write(line, 2);
    await loadPlain('', 'failures.ndjson');
    expect(await attemptsOf(key)).toBe(3);
  });

  test('also where a spool got a file of the same name after the first was moved away', async () => {
    world.write('failures.ndjson', line);
    await world.load();
    world.write('failures.ndjson', line + line);
    await world.load();
    expect(await attemptsOf(key)).toBe(3);
    expect(world.names('loaded')).toEqual(['failures.ndjson', 'failures.ndjson.1']);
  });

  test('and once where a load of an object broke off and began again', async () => {
    world.write('broken.ndjson', line.repeat(8));
    const source = { ...plainFiles(world.folder, new Set(['broken.ndjson'])), fingerprint: async () => null };
    const stopping = new AbortController();
    await world.load({ source, on_progress: () => stopping.abort() }, stopping.signal);
    await world.load({ source });
    expect(await attemptsOf(key)).toBe(8);
    expect(await world.file('broken.ndjson')).toMatchObject({ state: 'loaded', lines: 8, stored: 3, duplicates: 5 });
  });

  test('and each rejected line of it is listed, for each night', async () => {
    for (const minute of [0, 1]) {
      world.write('failures.ndjson', 'not json\n');
      const at = new Date(Date.UTC(2026, 10, 30, 3, minute));
      utimesSync(path.join(world.folder, 'failures.ndjson'), at, at);
      await loadPlain('', 'failures.ndjson');
    }
    expect((await world.rejected('failures.ndjson')).map(({ line }) => line)).toEqual([1, 1]);
  });
});

describe('a plain file', () => {
  test('a plain file that grew is read on from where it ended, its torn last line whole', async () => {
    const given = captures(500, 8);
    const bytes = spoolBytes(given);
    const cut = spoolBytes(given.slice(0, 6)).length + 40;
    const source = plainFiles(world.folder, new Set(['grows.ndjson']));
    world.write('grows.ndjson', bytes.subarray(0, cut));
    await world.load({ source });
    await expectStoredOnce(database, given.slice(0, 6));
    const took_up: number[] = [];
    world.write('grows.ndjson', bytes);
    await world.load({ source, on_progress: (_, __, began) => took_up.push(began.lines) });
    await expectStoredOnce(database, given);
    expect(took_up).toEqual([6]);
    expect(await world.file('grows.ndjson')).toMatchObject({ state: 'loaded', lines: 8, stored: 8 });
  });

  test('a plain file that was replaced is read from its start', async () => {
    const [old, fresh] = [captures(600, 4), captures(700, 9)];
    const source = plainFiles(world.folder, new Set(['same.ndjson']));
    world.write('same.ndjson', spoolBytes(old));
    await world.load({ source });
    world.write('same.ndjson', spoolBytes(fresh));
    await world.load({ source });
    await expectStoredOnce(database, [...old, ...fresh]);
    expect(await world.file('same.ndjson')).toMatchObject({ lines: 9, stored: 9 });
  });
});

describe('payloads beside the lines', () => {
  const payload = Buffer.alloc(1_200_000, 7);
  const sha256 = sha256Of(payload);
  const damaged = sha256Of('other');
  const missing = sha256Of('missing');

  test('are moved into the blob store; a missing or a damaged one does not hold its line back', async () => {
    const blobs = new DirectoryStore(path.join(world.folder, 'store'));
    const given = [sha256, damaged, missing].map((hash, i) =>
      spooledCapture(800 + i, { geom_wkt: undefined, payload_ref: `sha256:${hash}` }),
    );
    world.write(`blobs/${sha256}`, payload);
    world.write(`blobs/${damaged}`, 'not these bytes');
    world.write('blobs.ndjson', spoolBytes(given));
    await world.load({ blobs });
    await expectStoredOnce(database, given);
    expect(payload.equals((await blobs.read(sha256, 2_000_000)) ?? Buffer.alloc(0))).toBe(true);
    expect(world.names('blobs')).toEqual([]);
    expect(readFileSync(path.join(world.folder, 'rejected', 'blobs', damaged), 'utf8')).toBe('not these bytes');
  });

  test('a blob store that cannot serve holds the file back, and it is loaded later', async () => {
    const given = [spooledCapture(820, { payload_ref: `sha256:${sha256}`, geom_wkt: undefined })];
    world.write(`blobs/${sha256}`, payload);
    world.write('waits.ndjson', spoolBytes(given));
    world.write('file-in-the-way', '');
    await world.load({ blobs: new DirectoryStore(path.join(world.folder, 'file-in-the-way')) });
    expect(await world.file('waits.ndjson')).toMatchObject({
      state: 'failed',
      lines: 0,
      error: expect.stringMatching(/cannot serve now.*nothing was stored$/),
    });
    expect(world.names('blobs')).toEqual([sha256]);
    await database.pool.query("update dlq.spool_file set lease_until = now() where name = 'waits.ndjson'");
    await world.load({ blobs: new DirectoryStore(path.join(world.folder, 'store')) });
    await expectStoredOnce(database, given);
  });
});
