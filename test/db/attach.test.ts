import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAttached } from '@/db/queries/attached-table';
import { backfillCaptures, backfillMarks } from '@/db/queries/backfill';
import { attach, detach } from '@/lib/attach/attach';
import { findTable } from '@/lib/attach/find-table';
import { previewAttach } from '@/lib/attach/preview';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { attachOnly, mappingOf, takeIn } from './attach/attached';
import { TEAM_TABLES } from './attach/team-tables';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(TEAM_TABLES);
});
afterAll(() => database?.drop());

const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const one = async (text: string, values: unknown[] = []) => (await rows(text, values))[0];
const entryOf = (key: string) =>
  one(
    `select e.work_key, e.task_name, e.attempts, e.failure_class, e.via, e.first_seen, s.state, s.resolution, s.resolved_at, s.redriven_at, s.reopen_count,
       (select count(*)::int from dlq.occurrence o where o.entry_id = e.id) as occurrences
     from dlq.entry e join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
    [key],
  );
/** Every entry's attempts are its occurrences and what its rows counted before. */
const expectCounted = async () =>
  expect(
    await rows(`select e.work_key, e.attempts from dlq.entry e where e.attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id)
      + coalesce((select sum(r.attempts_before) from dlq.attached_row r where r.entry_id = e.id), 0)`),
  ).toEqual([]);

describe('a dry run', () => {
  test('says what each row would become, and changes nothing', async () => {
    const before = await one(
      'select (select count(*) from pg_trigger) as triggers, (select count(*) from pg_proc) as functions, last_value, is_called from dlq.entry_id',
    );
    const { attachment, notes } = await mappingOf(database.db, 'gis.dead_parcels');
    expect(attachment).toMatchObject({
      rows_are: 'units',
      row_key: ['work_key'],
      mapping: { geom: ['geom'], params: ['params'], resolved_at: ['resolved_at'] },
    });
    expect(notes).toEqual([]);
    const preview = await previewAttach(database.db, attachment, { chunk: 64 });
    expect(preview).toMatchObject({
      rows: 200,
      attempts: 500,
      failure_class: { oom: 66, unknown: 134 },
      state: { open: 180, resolved: 20 },
      problem: { 'failed again after it was resolved: it comes in as open': 1 },
    });
    expect(preview.sample[0]).toMatchObject({
      work_key: 'parcel-1',
      task_name: 'clip',
      attempts: 2,
      geometry: 'POINT',
      src_crs: 'EPSG:25832',
    });
    expect(preview.statements.join('\n')).toContain(
      'create trigger zz_dead_letters_1_capture before insert on gis.dead_parcels',
    );
    expect(
      await one(
        'select (select count(*) from pg_trigger) as triggers, (select count(*) from pg_proc) as functions, last_value, is_called from dlq.entry_id',
      ),
    ).toEqual(before);
    expect(await rows('select 1 from dlq.entry union all select 1 from dlq.attached_table')).toEqual([]);
  });

  test('names what the mapping leaves out, and where a column has to be named', async () => {
    const { attachment, notes } = await mappingOf(database.db, 'gis."Broken Tiles"', {
      'why "it" broke': 'error_text',
    });
    expect(attachment.mapping).toEqual({
      work_key: ['Tile Id'],
      geom: ['geom'],
      error_text: ['why "it" broke'],
      param: ['lon', 'lat', 'note'],
    });
    expect(notes.join(' ')).toContain('--map created_at=failed_at');
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { created: 'failed_at' })).rejects.toThrow(
      'there is no column created',
    );
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { note: 'failed_at' })).rejects.toThrow(
      'note is text, which failed_at cannot be',
    );
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { note: 'reason' })).rejects.toThrow(
      'reason is no field of a capture',
    );
  });

  test.each([
    [
      'gis.open_parcels',
      'is a view: it holds no rows of its own that a trigger could see. Attach the table behind it: gis.dead_parcels',
    ],
    ['"Old Pipeline"."Failed Tasks 0"', 'is a partition of "Old Pipeline"."Failed Tasks"'],
    ['geotask_dlq', 'is under capture already'],
    ['dlq.entry', 'is a table of the system or of this product'],
    ['Broken Tiles', 'did you mean gis."Broken Tiles"?'],
    ['gis.nothing', 'there is no table gis.nothing'],
  ])('%s is refused with the reason', async (name, reason) => {
    await expect(findTable(database.db, name)).rejects.toThrow(reason);
  });

  test('a table without a key is refused with the reason', async () => {
    await expect(mappingOf(database.db, 'gis.keyless')).rejects.toThrow('gis.keyless has no key');
  });
});

describe('the first document’s shape under another name', () => {
  const upsert = (key: string, task = 'clip') =>
    rows(
      `insert into gis.dead_parcels (work_key, task_name, geom, src_crs, params, failure_class, error_text, failed_at)
       values ($1, $2, ST_SetSRID(ST_MakePoint(1, 2), 25832), 'EPSG:25832', '{"now": true}', 'unknown', 'again', now())
       on conflict (work_key) do update set attempts = dead_parcels.attempts + 1, error_text = excluded.error_text, failed_at = now()`,
      [key, task],
    );

  test('comes in with its attempts, its times and its marks, and the counts agree', async () => {
    const id = await attachOnly(database.db, 'gis.dead_parcels');
    // writers before the backfill reaches their rows: an old row fails again, a new one comes
    await upsert('parcel-9');
    await upsert('parcel-9');
    await upsert('parcel-new', 'reproject');
    expect(await takeIn(database.db, id, 'gis.dead_parcels')).toMatchObject({
      rows: '201',
      with_entry: '201',
      skipped: '0',
      missing: '0',
      entries: '201',
    });
    await expectCounted();
    expect(await entryOf('parcel-3')).toMatchObject({
      task_name: 'clip',
      attempts: 4,
      occurrences: 1,
      failure_class: 'oom',
      state: 'open',
      via: 'gis.dead_parcels',
    });
    expect(await entryOf('parcel-9')).toMatchObject({ attempts: 4, occurrences: 3, state: 'open' });
    expect(await entryOf('parcel-new')).toMatchObject({ attempts: 1, occurrences: 1 });
    expect(await entryOf('parcel-10')).toMatchObject({
      state: 'resolved',
      resolution: 'fixed',
      resolved_at: new Date('2026-11-20T00:00:00Z'),
      redriven_at: new Date('2026-11-15T00:00:00Z'),
    });
    expect(await entryOf('parcel-7')).toMatchObject({ state: 'open', resolved_at: null });
    const [theirs] = await rows('select sum(attempts)::int as n from gis.dead_parcels');
    expect(await one("select sum(attempts)::int as n from dlq.entry where via = 'gis.dead_parcels'")).toEqual(theirs);
  });

  test('keeps both payloads of a row that failed again before it was read', async () => {
    const payloads = await rows(
      "select p.params, e.payload_hash = p.payload_hash as current from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = 'parcel-9' order by 2",
    );
    expect(payloads).toEqual([
      { params: { i: 9 }, current: false },
      { params: { now: true }, current: true },
    ]);
  });

  test('a second backfill takes in nothing and counts nothing twice', async () => {
    const before = await one('select sum(attempts) as n from dlq.entry');
    await rows('update dlq.attached_table set backfill_after = null where id = 1');
    expect(await takeIn(database.db, 1, 'gis.dead_parcels')).toMatchObject({ missing: '0' });
    expect(await one('select sum(attempts) as n from dlq.entry')).toEqual(before);
    await expectCounted();
  });

  test('marks go both ways from then on', async () => {
    await followIntoTables(database.db);
    expect(await one("select resolved_at from gis.dead_parcels where work_key = 'parcel-7'")).toEqual({
      resolved_at: null,
    });
    expect(await one("select resolved_at from gis.dead_parcels where work_key = 'parcel-10'")).toEqual({
      resolved_at: new Date('2026-11-20T00:00:00Z'),
    });
    await rows("update gis.dead_parcels set resolved_at = now() where work_key = 'parcel-1'");
    expect(await entryOf('parcel-1')).toMatchObject({ state: 'resolved', resolution: 'fixed' });
    await upsert('parcel-1');
    expect(await entryOf('parcel-1')).toMatchObject({ state: 'open', reopen_count: 1 });
    expect(await one("select resolved_at, attempts from gis.dead_parcels where work_key = 'parcel-1'")).toEqual({
      resolved_at: null,
      attempts: 3,
    });
    await rows(
      "update dlq.state s set state = 'resolved', resolution = 'withdrawn', resolved_at = '2026-11-29T00:00:00Z', version = version + 1 from dlq.entry e where e.id = s.entry_id and e.work_key = 'parcel-2'",
    );
    expect(await followIntoTables(database.db)).toBe(1);
    expect(await one("select resolved_at from gis.dead_parcels where work_key = 'parcel-2'")).toEqual({
      resolved_at: new Date('2026-11-29T00:00:00Z'),
    });
  });

  test('a capture that fails leaves the team’s statement alone', async () => {
    await rows('alter table gis.dead_parcels rename column error_text to words');
    await rows(
      "insert into gis.dead_parcels (work_key, task_name, params, failure_class, failed_at) values ('after-rename', 'clip', '{}', 'unknown', now())",
    );
    expect(await one("select 1 as there from gis.dead_parcels where work_key = 'after-rename'")).toEqual({ there: 1 });
    expect(await entryOf('after-rename')).toBeUndefined();
    await rows('alter table gis.dead_parcels rename column words to error_text');
  });
});

describe('the second document’s shape, partitioned', () => {
  test('comes in by both columns of its key, with the words of its status', async () => {
    const id = await attachOnly(database.db, '"Old Pipeline"."Failed Tasks"');
    expect(await takeIn(database.db, id, '"Old Pipeline"."Failed Tasks"', 7)).toMatchObject({
      rows: '40',
      with_entry: '40',
      missing: '0',
    });
    await expectCounted();
    const keys = await rows(
      "select s.state, s.resolution, count(*)::int as n, sum(e.attempts)::int as attempts from dlq.entry e join dlq.state s on s.entry_id = e.id where e.via = 'Old Pipeline.Failed Tasks' group by 1, 2 order by 1, 2",
    );
    expect(keys).toEqual([
      { state: 'open', resolution: null, n: 20, attempts: 430 },
      { state: 'quarantined', resolution: null, n: 10, attempts: 200 },
      { state: 'resolved', resolution: 'fixed', n: 10, attempts: 190 },
    ]);
    expect(
      await one("select task_name, task_id, failure_class, first_seen from dlq.entry where task_id = 'task:40'"),
    ).toEqual({
      task_name: 'Failed Tasks',
      task_id: 'task:40',
      failure_class: 'invalid_geometry',
      first_seen: new Date('2026-10-01T00:00:00Z'),
    });
  });

  test('a word that is none of ours is left as it is, whatever becomes of the entry', async () => {
    await rows(
      "update dlq.state s set state = 'resolved', resolution = 'abandoned', resolved_at = now(), version = version + 1 from dlq.entry e where e.id = s.entry_id and e.task_id in ('task:3', 'task:4')",
    );
    await followIntoTables(database.db);
    expect(
      await rows(
        `select task_id, status from "Old Pipeline"."Failed Tasks" where task_id in ('task:3', 'task:4') order by 1`,
      ),
    ).toEqual([
      { task_id: 'task:3', status: 'parked' },
      { task_id: 'task:4', status: 'quarantined' },
    ]);
  });
});

describe('tables with few of the documents’ columns', () => {
  test('a generated geometry is captured as the table computes it', async () => {
    const id = await attachOnly(database.db, 'gis."Broken Tiles"', {
      'why "it" broke': 'error_text',
      created_at: 'failed_at',
    });
    await rows(
      `insert into gis."Broken Tiles" ("Tile Id", lon, lat, created_at) values (77, 7, 8, '2026-11-30 12:00')`,
    );
    expect(await takeIn(database.db, id, 'gis."Broken Tiles"')).toMatchObject({
      rows: '21',
      with_entry: '21',
      missing: '0',
    });
    const stored = await rows(
      "select e.work_key, e.failure_class, e.failed_at, ST_AsEWKT(p.geom) as shape, p.params from dlq.entry e join dlq.payload p on p.entry_id = e.id where e.via = 'gis.Broken Tiles' and e.work_key in ('5', '77') order by 1",
    );
    expect(stored).toEqual([
      {
        work_key: '5',
        failure_class: 'upstream_timeout',
        failed_at: new Date('2026-11-03T10:00:00Z'),
        shape: 'SRID=4326;POINT(5 50)',
        params: { lon: 5, lat: 50, note: 'n5' },
      },
      {
        work_key: '77',
        failure_class: 'unknown',
        failed_at: new Date('2026-11-30T12:00:00Z'),
        shape: 'SRID=4326;POINT(7 8)',
        params: { lon: 7, lat: 8, note: null },
      },
    ]);
  });

  test('where a row is one failure, rows of one key are one entry, counted once by either way', async () => {
    const { attachment, notes } = await mappingOf(database.db, 'gis.failure_log');
    expect(attachment.rows_are).toBe('failures');
    expect(notes.join(' ')).toContain('work_key is not unique here');
    const id = await attachOnly(database.db, 'gis.failure_log');
    await rows("insert into gis.failure_log (work_key, error, failed_at) values ('unit-1', 'while attached', now())");
    expect(await takeIn(database.db, id, 'gis.failure_log', 4)).toMatchObject({
      rows: '32',
      with_entry: '32',
      missing: '0',
      entries: '6',
    });
    await expectCounted();
    expect(await entryOf('unit-1')).toMatchObject({ attempts: 7, occurrences: 7 });
    const odd = await one(
      "select p.geom_wkb, p.geom_error is not null as refused from dlq.entry e join dlq.payload p on p.entry_id = e.id where e.work_key = 'gis.failure_log:31'",
    );
    expect(odd).toEqual({ geom_wkb: Buffer.from('0103', 'hex'), refused: true });
  });
});

describe('what goes wrong', () => {
  test('a row that the database refuses is set aside with its reason, and the others come in', async () => {
    const id = await attachOnly(database.db, 'gis.wide_tiles');
    const compared = await takeIn(database.db, id, 'gis.wide_tiles', 4);
    expect(compared).toMatchObject({ rows: '10', with_entry: '8', skipped: '2', missing: '0' });
    expect(compared?.reasons).toEqual([{ reason: expect.stringContaining('out of range'), count: '2' }]);
    expect(
      await one(
        "select rows_read::int, rows_taken::int, rows_known::int from dlq.attached_table where schema_name = 'gis' and table_name = 'wide_tiles'",
      ),
    ).toEqual({ rows_read: 10, rows_taken: 8, rows_known: 0 });
    await expectCounted();
  });

  test('a table that cannot be written back to says why, and gets all its marks once it can', async () => {
    const resolve = (key: string) =>
      rows(
        "update dlq.state s set state = 'resolved', resolution = 'fixed', resolved_at = now(), version = version + 1 from dlq.entry e where e.id = s.entry_id and e.work_key = $1",
        [key],
      );
    await followIntoTables(database.db);
    await rows('alter table gis.wide_tiles add constraint never check (resolved_at is null)');
    await resolve('tile-1');
    expect(await followIntoTables(database.db)).toBe(0);
    expect(await one("select write_back_error from dlq.attached_table where table_name = 'wide_tiles'")).toEqual({
      write_back_error: expect.stringContaining('violates check constraint "never"'),
    });
    await rows('alter table gis.wide_tiles drop constraint never');
    await resolve('tile-2');
    expect(await followIntoTables(database.db)).toBe(2);
    expect(await one("select write_back_error from dlq.attached_table where table_name = 'wide_tiles'")).toEqual({
      write_back_error: null,
    });
  });

  test('two backfills at once take each row in once, and count it once', async () => {
    await rows(
      "create table gis.twice (work_key text primary key, error text, attempts integer); insert into gis.twice select 'twice-' || i, 'failed', i from generate_series(1, 60) i",
    );
    const id = await attachOnly(database.db, 'gis.twice');
    const compared = await Promise.all([1, 2, 3].map(() => takeIn(database.db, id, 'gis.twice', 5)));
    for (const one_of_them of compared)
      expect(one_of_them).toMatchObject({ rows: '60', with_entry: '60', missing: '0' });
    expect(
      await one(
        'select rows_read::int, rows_taken::int + rows_known::int as counted from dlq.attached_table where id = $1',
        [id],
      ),
    ).toEqual({ rows_read: 60, counted: 60 });
    expect(await one("select sum(attempts)::int as n from dlq.entry where via = 'gis.twice'")).toEqual({ n: 1830 });
    await expectCounted();
    await detach(database.db, 'gis.twice');
    await expect(takeIn(database.db, id, 'gis.twice')).rejects.toThrow('the table was detached or dropped meanwhile');
  });

  test('nothing is written into a row before the marks that it brought are carried over', async () => {
    await rows(
      "create table gis.half_way (work_key text primary key, error text, failed_at timestamptz, resolved_at timestamptz); insert into gis.half_way values ('half', 'failed', '2026-11-01', '2026-11-02')",
    );
    const id = await attachOnly(database.db, 'gis.half_way');
    const step = await database.db.transaction((tx) => backfillCaptures(tx, id, { size: 10, careful: false }));
    await followIntoTables(database.db);
    expect(await one('select resolved_at from gis.half_way')).toEqual({
      resolved_at: new Date('2026-11-02T00:00:00Z'),
    });
    await database.db.transaction((tx) => backfillMarks(tx, id, step));
    expect(await entryOf('half')).toMatchObject({ state: 'resolved', resolved_at: new Date('2026-11-02T00:00:00Z') });
    expect(await followIntoTables(database.db)).toBe(0);
  });

  test('a table that is gone is listed as gone, and can be detached by its name', async () => {
    await rows('drop table gis.wide_tiles');
    expect(await followIntoTables(database.db)).toBe(0);
    expect((await listAttached(database.db)).find(({ table_name }) => table_name === 'wide_tiles')).toMatchObject({
      relation: null,
      detached_at: null,
    });
    await detach(database.db, 'gis.wide_tiles');
    expect(
      (await listAttached(database.db)).find(({ table_name }) => table_name === 'wide_tiles')?.detached_at,
    ).not.toBeNull();
  });

  test('a renamed table stays under capture', async () => {
    await rows('alter table gis.failure_log rename to failures');
    await rows("insert into gis.failures (work_key, error, failed_at) values ('renamed', 'failed', now())");
    expect(await entryOf('renamed')).toMatchObject({ attempts: 1, via: 'gis.failure_log' });
    expect((await listAttached(database.db)).map(({ relation }) => relation)).toContain('gis.failures');
  });

  test('attaching waits for a writer’s transaction in short tries, and then takes in what it wrote', async () => {
    const writer = await database.pool.connect();
    try {
      await writer.query('begin; insert into gis.unwatched (id) values (1)');
      let waited = 0;
      const attaching = attach(database.db, (await mappingOf(database.db, 'gis.unwatched')).attachment, () => {
        waited += 1;
        if (waited === 2) void writer.query('commit');
      });
      const id = await attaching;
      expect(waited).toBeGreaterThanOrEqual(2);
      expect(await takeIn(database.db, id, 'gis.unwatched')).toMatchObject({ rows: '1', with_entry: '1' });
    } finally {
      writer.release();
    }
  });
});

describe('code of the team’s', () => {
  const role = `writer_${randomBytes(4).toString('hex')}`;
  afterAll(async () => {
    await rows(`drop owned by ${role}`);
    await rows(`drop role ${role}`);
  });

  test('never runs with the rights of the queue: no cast of theirs at all, generated columns as whoever writes', async () => {
    await rows(`
      create role ${role};
      create table gis.ran (who text);
      create type gis.mood as enum ('bad');
      create function gis.cast_mood(gis.mood) returns text language plpgsql as $$ begin insert into gis.ran values (current_user); return 'cast'; end $$;
      create function gis.cast_mood_json(gis.mood) returns json language plpgsql as $$ begin insert into gis.ran values (current_user); return '1'; end $$;
      create cast (gis.mood as text) with function gis.cast_mood(gis.mood) as implicit;
      create cast (gis.mood as json) with function gis.cast_mood_json(gis.mood) as implicit;
      create function gis.who() returns text language sql immutable as $$ select current_user::text $$;
      create table gis.moody (work_key text primary key, error gis.mood, detail gis.mood, traceback text generated always as (gis.who()) stored);
      grant usage on schema gis to ${role};
      grant insert on gis.moody to ${role};`);
    await attachOnly(database.db, 'gis.moody');
    const writer = await database.pool.connect();
    try {
      await writer.query(`set role ${role}`);
      await writer.query("insert into gis.moody values ('moody', 'bad', 'bad')");
    } finally {
      await writer.query('reset role');
      writer.release();
    }
    expect(await rows('select who from gis.ran')).toEqual([]);
    expect(
      await one(
        "select e.error_text, e.traceback, p.params from dlq.entry e join dlq.payload p on p.entry_id = e.id where e.work_key = 'moody'",
      ),
    ).toEqual({ error_text: 'bad', traceback: role, params: { detail: 'bad' } });
  });
});

test('detaching takes the triggers off and keeps entries, history and the record', async () => {
  const entries = await one("select count(*)::int as n from dlq.entry where via = 'gis.dead_parcels'");
  await detach(database.db, 'gis.dead_parcels');
  await rows(
    "insert into gis.dead_parcels (work_key, task_name, params, failure_class, failed_at) values ('detached', 'clip', '{}', 'unknown', now())",
  );
  await rows("update gis.dead_parcels set resolved_at = now() where work_key = 'parcel-4'");
  expect(await entryOf('detached')).toBeUndefined();
  expect(await entryOf('parcel-4')).toMatchObject({ state: 'open' });
  expect(await one("select count(*)::int as n from dlq.entry where via = 'gis.dead_parcels'")).toEqual(entries);
  expect(
    await rows("select tgname from pg_trigger where tgrelid = 'gis.dead_parcels'::regclass and not tgisinternal"),
  ).toEqual([]);
  expect(await rows("select proname from pg_proc where proname ~ '_of_1$'")).toEqual([]);
  expect(await one('select detached_at is not null as off from dlq.attached_table where id = 1')).toEqual({
    off: true,
  });
  await expect(detach(database.db, 'gis.dead_parcels')).rejects.toThrow(
    'gis.dead_parcels is not attached; attached are',
  );
});
