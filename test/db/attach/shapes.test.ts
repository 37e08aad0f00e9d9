import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { detach } from '@/lib/attach/attach';
import { entrySchema } from '@/lib/contract/entry';
import { followIntoTables } from '@/lib/ingest/write-back';
import { getEntry } from '@/lib/triage/get-entry';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { attachOnly, mappingOf, takeIn } from './attached';
import { questionsTo } from './questions';
import { TEAM_TABLES } from './team-tables';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  await database.pool.query(TEAM_TABLES);
});
afterAll(() => database?.drop());

const { rows, one, entryOf, expectCounted } = questionsTo(() => database);

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

  test('says of an entry how many of its failures are known only by number, and which table counted them', async () => {
    const ask = async (work_key: string) => {
      const { id } = await one('select id::text as id from dlq.entry where work_key = $1', [work_key]);
      const entry = await getEntry({ db: database.db, actor: { name: 'someone', role: 'viewer' } }, { id: String(id) });
      const { attempts, attempts_before, attempts_before_by, occurrences } = entrySchema.parse(entry);
      expect(occurrences).toHaveLength(attempts - attempts_before);
      return [attempts, attempts_before, attempts_before_by];
    };
    expect(await ask('parcel-3')).toEqual([4, 3, 'gis.dead_parcels']);
    expect(await ask('parcel-9')).toEqual([4, 1, 'gis.dead_parcels']);
    expect(await ask('parcel-new')).toEqual([1, 0, null]);
    expect(await ask('parcel-4')).toEqual([1, 0, null]);
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
