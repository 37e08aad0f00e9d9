import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAttached } from '@/db/queries/attached-table';
import { backfillCaptures, backfillMarks } from '@/db/queries/backfill';
import { attach, detach } from '@/lib/attach/attach';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { attachOnly, mappingOf, takeIn } from './attached';
import { questionsTo } from './questions';
import { TEAM_TABLES } from './team-tables';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(TEAM_TABLES);
});
afterAll(() => database?.drop());

const { rows, one, entryOf, expectCounted } = questionsTo(() => database);

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
    await attachOnly(database.db, 'gis.failure_log');
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
