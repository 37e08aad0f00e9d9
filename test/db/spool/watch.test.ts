import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '@/db/client';
import { createDb, createPool } from '@/db/client';
import { DirectoryStore } from '@/lib/blobs/directory-store';
import { openSpool } from '@/lib/capture/spool';
import { openSource } from '@/lib/spool/open-source';
import { spoolDirectory } from '@/lib/spool/spool-directory';
import { watchSpools } from '@/lib/spool/watch';
import { runLoop } from '@/lib/worker/loop';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { type S3Stub, startS3Stub } from '../../support/s3-stub';
import { sha256Of } from '../../support/sha256-of';
import { captures, spoolBytes } from '../../support/spool-lines';
import { makeStoppableServer } from '../../support/stoppable-server';
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

const watch = (addresses: readonly string[], { keep_days = 7, environment = {}, db = database.db as Db } = {}) => {
  const sources = addresses.map((address) => openSource(address, environment));
  const look = watchSpools({ db, sources, blobs: null, worker: 'test', keep_days });
  return () => look(new AbortController().signal);
};
const sourceRow = async (url: string) =>
  (
    await database.pool.query('select kind, reachable, error, same_filesystem from dlq.spool_source where url = $1', [
      url,
    ])
  ).rows[0];

/** A number that no process has: above the greatest that Linux gives. */
const NO_PID = 4_194_305;
const host = hostname();

describe('a watched folder', () => {
  test('an open file is sealed when its process is gone or when nobody wrote to it for five minutes, else left alone', async () => {
    const given = [captures(0, 3), captures(10, 3), captures(20, 3), captures(30, 3)];
    const [gone, alive, stale, elsewhere] = [
      `${host}-${NO_PID}-00000001-000001.ndjson`,
      `${host}-${process.pid}-00000002-000001.ndjson`,
      `${host}-${process.pid}-00000003-000001.ndjson`,
      `other-host-${NO_PID}-00000004-000001.ndjson`,
    ];
    [gone, alive, stale, elsewhere].forEach((name, i) => {
      world.write(`${name}.open`, spoolBytes(given[i] ?? []));
    });
    const past = Date.now() / 1000 - 301;
    utimesSync(path.join(world.folder, `${stale}.open`), past, past);
    expect(await watch([world.folder])()).toBe(2);
    expect(world.names('loaded')).toEqual([gone, stale].sort());
    expect(world.names()).toEqual([`${alive}.open`, `${elsewhere}.open`, 'loaded'].sort());
    await expectStoredOnce(database, [...(given[0] ?? []), ...(given[2] ?? [])]);
  });

  test('what was loaded is removed after its days, but not a file whose rejected lines nobody has dealt with', async () => {
    world.write('good.ndjson', spoolBytes(captures(100, 2)));
    world.write('bad.ndjson', 'not json\n');
    await watch([world.folder])();
    expect(world.names('loaded')).toEqual(['bad.ndjson', 'good.ndjson']);
    await watch([world.folder], { keep_days: -1 })();
    expect(world.names('loaded')).toEqual(['bad.ndjson']);
    await database.pool.query(
      "update dlq.rejected_line set dismissed_at = now(), dismissed_by = 'test' where head = 'not json'",
    );
    await watch([world.folder], { keep_days: -1 })();
    expect(world.names('loaded')).toEqual([]);
    expect(await world.file('good.ndjson')).toBeUndefined();
  });

  test('a side file is removed when all its lines were dealt with long ago, not one that the database knows nothing of', async () => {
    world.write('settled.ndjson', 'not json 1\nnot json 2\n');
    world.write('half.ndjson', 'not json 3\nnot json 4\n');
    world.write('rejected/foreign.ndjson', '{"line":1}\n');
    await watch([world.folder])();
    await watch([world.folder], { keep_days: -1 })();
    expect(world.names('rejected')).toEqual(['foreign.ndjson', 'half.ndjson', 'settled.ndjson']);
    await database.pool.query(
      "update dlq.rejected_line set dismissed_at = now(), dismissed_by = 'test' where head ~ '^not json [123]$'",
    );
    await watch([world.folder], { keep_days: 1 })();
    expect(world.names('rejected')).toEqual(['foreign.ndjson', 'half.ndjson', 'settled.ndjson']);
    await watch([world.folder], { keep_days: -1 })();
    expect(world.names('rejected')).toEqual(['foreign.ndjson', 'half.ndjson']);
  });

  test('a damaged payload is moved where it takes no room from those who write, and they go on', async () => {
    const payload = Buffer.alloc(900_000, 5);
    const sha256 = sha256Of(payload);
    world.write(`blobs/${sha256}`, payload.subarray(1));
    const past = Date.now() / 1000 - 61;
    utimesSync(path.join(world.folder, 'blobs', sha256), past, past);
    const blobs = new DirectoryStore(path.join(world.folder, 'store'));
    const sources = [spoolDirectory(world.folder)];
    await watchSpools({ db: database.db, sources, blobs, worker: 'test', keep_days: 7 })(new AbortController().signal);
    expect(world.names('blobs')).toEqual([]);
    expect(world.names('rejected/blobs')).toEqual([sha256]);
    const spool = openSpool({ where: world.folder, max_bytes: 1_000_000 });
    await spool.put_blob(sha256, payload);
    expect(world.names('blobs')).toEqual([sha256]);
  });

  test('what killed writers have left of payloads is removed after an hour', async () => {
    world.write('blobs/.old.part', 'half');
    world.write('blobs/.young.part', 'half');
    const past = Date.now() / 1000 - 3_700;
    utimesSync(path.join(world.folder, 'blobs', '.old.part'), past, past);
    await watch([world.folder])();
    expect(world.names('blobs')).toEqual(['.young.part']);
  });

  test('one that cannot be reached is noted and does not hold up another; it is loaded when it is there', async () => {
    const away = path.join(world.folder, 'away');
    const here = path.join(world.folder, 'here');
    world.write('here/a.ndjson', spoolBytes(captures(200, 2)));
    const look = watch([away, here]);
    expect(await look()).toBe(1);
    expect(await sourceRow(away)).toMatchObject({
      kind: 'directory',
      reachable: false,
      error: expect.stringMatching(/ENOENT/),
    });
    expect(await sourceRow(here)).toMatchObject({ reachable: true, error: null });
    mkdirSync(away);
    world.write('away/b.ndjson', spoolBytes(captures(210, 2)));
    expect(await look()).toBe(1);
    expect(await sourceRow(away)).toMatchObject({ reachable: true, error: null });
  });

  test('says whether it shares a filesystem with the database, where the server tells where its data lies', async () => {
    const { rows } = await database.pool.query("select current_setting('data_directory') as folder");
    await watch([world.folder])();
    const { same_filesystem } = await sourceRow(world.folder);
    expect(typeof same_filesystem).toBe(existsSync(rows[0].folder) ? 'boolean' : 'object');
    mkdirSync('/dev/shm', { recursive: true });
    const elsewhere = path.join('/dev/shm', path.basename(world.folder));
    mkdirSync(elsewhere);
    await watch([elsewhere])();
    expect((await sourceRow(elsewhere)).same_filesystem).not.toBe(true);
  });

  test('a payload whose capture came another way is moved into the blob store alone', async () => {
    const payload = Buffer.alloc(1_100_000, 3);
    const sha256 = sha256Of(payload);
    world.write(`blobs/${sha256}`, payload);
    world.write('blobs/.unfinished.part', 'half');
    const blobs = new DirectoryStore(path.join(world.folder, 'store'));
    const look = watchSpools({
      db: database.db,
      sources: [spoolDirectory(world.folder)],
      blobs,
      worker: 'test',
      keep_days: 7,
    });
    const past = Date.now() / 1000 - 61;
    utimesSync(path.join(world.folder, 'blobs', sha256), past, past);
    await look(new AbortController().signal);
    expect(await blobs.size(sha256)).toBe(payload.length);
    expect(world.names('blobs')).toEqual(['.unfinished.part']);
  });

  test('a file whose bad lines find no room waits a second at first, a minute once that lasts, and is loaded when there is room', async () => {
    const given = captures(310, 2);
    world.write('bad.ndjson', Buffer.concat([spoolBytes(given), Buffer.from('not json\n')]));
    world.write('rejected', 'a file where the folder should be');
    const look = watch([world.folder]);
    const paused = async () => {
      expect(await look()).toBe(0);
      const { rows } = await database.pool.query(
        `update dlq.spool_file set lease_until = now() where source = $1 and state = 'failed' returning
           (select extract(epoch from f.lease_until - clock_timestamp())::float8 from dlq.spool_file f where f.id = spool_file.id) as pause_s`,
        [world.folder],
      );
      return rows[0].pause_s as number;
    };
    expect(await paused()).toBeLessThanOrEqual(1);
    for (let failures = 2; failures <= 6; failures += 1) await paused();
    expect(await paused()).toBeGreaterThan(32);
    rmSync(path.join(world.folder, 'rejected'));
    expect(await look()).toBe(1);
    await expectStoredOnce(database, given);
    expect(world.sideLines('bad.ndjson')).toMatchObject([{ line: 3, text: 'not json' }]);
  });

  test('a file that disappears before it is loaded is called missing', async () => {
    world.write('kept.ndjson', spoolBytes(captures(300, 1)));
    await database.pool.query(
      "insert into dlq.spool_file (source, name, size_bytes, modified_at) values ($1, 'lost.ndjson', 10, now())",
      [world.folder],
    );
    await watch([world.folder])();
    expect(await world.file('lost.ndjson')).toMatchObject({ state: 'missing' });
  });
});

test('what clients spool is loaded while they write: every line that was acknowledged is stored once', async () => {
  const spool = openSpool({ where: world.folder, max_age_ms: 40 });
  const look = watch([world.folder]);
  const given = captures(600, 300);
  const writing = Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      for (let i = writer; i < given.length; i += 6) await spool.append(JSON.stringify(given[i]));
    }),
  ).then(() => spool.seal());
  let is_written = false;
  const written = writing.then(() => {
    is_written = true;
  });
  while (!is_written) await look();
  await written;
  await look();
  await expectStoredOnce(database, given);
  expect(world.names().filter((name) => name.includes('ndjson'))).toEqual([]);
});

describe('a watched bucket', () => {
  let stub: S3Stub;
  beforeEach(async () => {
    stub = await startS3Stub({ bucket: 'spool' });
  });
  afterEach(() => stub.stop());

  const put = (key: string, body: Uint8Array) =>
    stub.objects.set(key, { body, modified_at: '2026-11-30T12:00:00.000Z' });

  test('its objects are loaded, moved and their bad lines kept beside them', async () => {
    const given = captures(400, 12);
    const lines = spoolBytes(given).toString().split('\n');
    lines[4] = 'not json';
    put('team/spool/h-1-00000001-000001.ndjson', Buffer.from(lines.join('\n')));
    const url = `${stub.url}/team`;
    expect(await watch([url], { environment: stub.environment })()).toBe(1);
    await expectStoredOnce(
      database,
      given.filter((_, i) => i !== 4),
    );
    expect([...stub.objects.keys()].sort()).toEqual([
      'team/loaded/h-1-00000001-000001.ndjson',
      'team/rejected/h-1-00000001-000001.ndjson/000000005.ndjson',
    ]);
    expect(await sourceRow(url)).toMatchObject({ kind: 'bucket', reachable: true, same_filesystem: null });
  });

  test('one that stays away is not called reachable between two looks', async () => {
    const url = `${stub.url}/unsteady`;
    const seen: unknown[] = [];
    const source = {
      ...openSource(url, stub.environment),
      list: async () => {
        seen.push((await sourceRow(url))?.reachable);
        throw new Error('the bucket is away');
      },
    };
    const look = watchSpools({ db: database.db, sources: [source], blobs: null, worker: 'test', keep_days: 7 });
    for (let i = 0; i < 3; i++) expect(await look(new AbortController().signal)).toBe(0);
    expect(seen).toEqual([true, false, false]);
    expect(await sourceRow(url)).toMatchObject({ reachable: false, error: 'the bucket is away' });
  });

  test('its damaged payloads and, in time, its settled side objects are moved away and removed', async () => {
    const sha256 = sha256Of('whole');
    put(`tidy/blobs/${sha256}`, Buffer.from('half'));
    put('tidy/spool/h-1-00000001-000001.ndjson', Buffer.from('not json 9\n'));
    put('tidy/rejected/foreign.ndjson/000000001.ndjson', Buffer.from('{}\n'));
    const url = `${stub.url}/tidy`;
    const blobs = new DirectoryStore(path.join(world.folder, 'store'));
    const look = (keep_days: number) =>
      watchSpools({ db: database.db, sources: [openSource(url, stub.environment)], blobs, worker: 'test', keep_days })(
        new AbortController().signal,
      );
    await look(7);
    await database.pool.query(
      "update dlq.rejected_line set dismissed_at = now(), dismissed_by = 'test' where head = 'not json 9'",
    );
    const side = 'tidy/rejected/h-1-00000001-000001.ndjson/000000001.ndjson';
    expect([...stub.objects.keys()].sort()).toEqual([
      'tidy/loaded/h-1-00000001-000001.ndjson',
      `tidy/rejected/blobs/${sha256}`,
      'tidy/rejected/foreign.ndjson/000000001.ndjson',
      side,
    ]);
    await look(-1);
    expect([...stub.objects.keys()].sort()).toEqual([
      `tidy/rejected/blobs/${sha256}`,
      'tidy/rejected/foreign.ndjson/000000001.ndjson',
    ]);
  });

  test('faults of the bucket at any request lose nothing and double nothing', async () => {
    const given = [captures(500, 6), captures(510, 6)];
    given.forEach((some, i) => {
      put(`spool/h-1-00000001-00000${i}.ndjson`, spoolBytes(some));
    });
    const look = watch([stub.url], { environment: stub.environment });
    for (const fault of [503, 'reset', 'partial', 'lost', 403, 500] as const) {
      stub.fail_next(fault, 1);
      await look();
      await database.pool.query("update dlq.spool_file set lease_until = now() where state = 'failed'");
    }
    await look();
    await expectStoredOnce(database, given.flat());
    expect([...stub.objects.keys()].filter((key) => key.startsWith('spool/'))).toEqual([]);
  });
});

test('a database that goes away while lines are loaded is waited for, and every line is stored once', async () => {
  const server = await makeStoppableServer();
  const pool = createPool(server.url);
  const own = makeSpoolWorld({ pool, db: createDb(pool) });
  const stopping = new AbortController();
  try {
    const given = Array.from({ length: 6 }, (_, i) => captures(1000 + 200 * i, 200));
    given.forEach((some, i) => {
      own.write(`${i}.ndjson`, spoolBytes(some));
    });
    let chunks = 0;
    let stopped: Promise<void> | undefined;
    const load = () =>
      own.load({
        on_progress() {
          chunks += 1;
          if (chunks === 20) stopped = server.stop();
        },
      });
    const outage = load().then(
      () => 'loaded',
      () => 'broken off',
    );
    expect(await outage).toBe('broken off');
    await stopped;
    let done = 0;
    const loop = runLoop(
      {
        name: 'spool',
        idle_ms: 20,
        run: async () => {
          done += await load();
          if (own.names().join() === 'loaded') stopping.abort();
          return 0;
        },
      },
      stopping.signal,
    );
    await server.start();
    await loop;
    expect(done).toBeGreaterThan(0);
    await expectStoredOnce({ pool } as TestDatabase, given.flat());
    const { rows } = await pool.query(
      'select sum(stored)::int as stored, sum(duplicates)::int as duplicates from dlq.spool_file',
    );
    expect(rows).toEqual([{ stored: 1200, duplicates: 0 }]);
  } finally {
    stopping.abort();
    own.remove();
    await pool.end();
    await server.remove();
  }
}, 120_000);
