import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase } from '../support/database';
import { storeBy } from './seed-clients/store';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const one = async (text: string, values: unknown[] = []) => (await rows(text, values))[0];
const entryOf = (key: string) =>
  one(
    `select e.*, s.state, s.resolution, s.reopen_count, s.version,
       (select count(*)::int from dlq.occurrence o where o.entry_id = e.id) as occurrences,
       (select count(*)::int from dlq.payload p where p.entry_id = e.id) as payloads
     from dlq.entry e join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
    [key],
  );
const parcel = { task_name: 'reproject', wkt: 'POINT (10 50)', srid: 4326, src_crs: 'EPSG:4326', params: { a: 1 } };

describe('the first document’s statement, by psycopg', () => {
  test('three failures of one key are one entry with three attempts and three occurrences', async () => {
    const work = { ...parcel, work_key: 'three', failure_class: 'crs_mismatch', error_text: 'out of range' };
    expect(await storeBy(database.url, 'geotask_dlq', [work, work, work])).toEqual({ stored: 3, errors: [] });
    expect(await entryOf('three')).toMatchObject({
      attempts: 3,
      occurrences: 3,
      payloads: 1,
      state: 'open',
      failure_class: 'crs_mismatch',
    });
    expect(await one('select attempts from geotask_dlq where work_key = $1', ['three'])).toEqual({ attempts: 3 });
  });

  test('a re-failure after a resolution reopens the entry and the team’s own row', async () => {
    const work = { ...parcel, work_key: 'again' };
    await storeBy(database.url, 'geotask_dlq', [work]);
    await database.pool.query('update geotask_dlq set resolved_at = now() where work_key = $1', ['again']);
    expect(await entryOf('again')).toMatchObject({ state: 'resolved', resolution: 'fixed' });
    await storeBy(database.url, 'geotask_dlq', [work]);
    expect(await entryOf('again')).toMatchObject({ state: 'open', reopen_count: 1, attempts: 2 });
    expect(await one('select resolved_at from geotask_dlq where work_key = $1', ['again'])).toEqual({
      resolved_at: null,
    });
    const events = await rows(
      'select actor, to_state from dlq.event where entry_id = (select id from dlq.entry where work_key = $1) order by id',
      ['again'],
    );
    expect(events.map((event) => event.to_state)).toEqual(['open', 'resolved', 'open']);
    expect(events[1]?.actor).toMatch(/^sql:/);
  });

  test('a changed payload keeps both versions, the newest as the current one', async () => {
    await storeBy(database.url, 'geotask_dlq', [
      { ...parcel, work_key: 'changed' },
      { ...parcel, work_key: 'changed', wkt: 'POINT (11 51)', params: { a: 2 } },
    ]);
    expect(await entryOf('changed')).toMatchObject({ attempts: 2, payloads: 2 });
    const current = await one(
      'select ST_AsText(p.geom) as wkt, p.params from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash where e.work_key = $1',
      ['changed'],
    );
    expect(current).toEqual({ wkt: 'POINT(11 51)', params: { a: 2 } });
  });

  test('another task’s key is an entry of its own that keeps the same idempotency key', async () => {
    await storeBy(database.url, 'geotask_dlq', [{ ...parcel, work_key: 'shared' }]);
    await storeBy(database.url, 'geotask_dlq', [{ ...parcel, work_key: 'shared', task_name: 'clip' }]);
    const entries = await rows(
      'select work_key, task_name, attempts from dlq.entry where idempotency_key = $1 order by id',
      ['shared'],
    );
    expect(entries).toHaveLength(2);
    expect(entries.map((entry) => [entry.task_name, entry.attempts])).toEqual([
      ['reproject', 1],
      ['clip', 1],
    ]);
    expect(entries[0]?.work_key).toBe('shared');
    expect(entries[1]?.work_key).not.toBe('shared');
  });

  test('a 3-D polygon, a missing geometry and a bow-tie are stored as they came', async () => {
    const result = await storeBy(database.url, 'geotask_dlq', [
      { ...parcel, work_key: 'solid', wkt: 'POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 0 1))' },
      { ...parcel, work_key: 'raster', wkt: null },
      { ...parcel, work_key: 'bowtie', wkt: 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))' },
    ]);
    expect(result).toEqual({ stored: 3, errors: [] });
    const stored = await rows(
      `select e.work_key, ST_AsText(p.geom) as wkt, ST_SRID(p.geom) as srid, p.geom_wkb = ST_AsEWKB(g.geom) as same_bytes
       from dlq.entry e join dlq.payload p on p.entry_id = e.id join geotask_dlq g on g.work_key = e.work_key
       where e.work_key in ('solid', 'raster', 'bowtie') order by e.work_key`,
    );
    expect(stored).toEqual([
      { work_key: 'bowtie', wkt: 'POLYGON((0 0,2 2,2 0,0 2,0 0))', srid: 4326, same_bytes: true },
      { work_key: 'raster', wkt: null, srid: null, same_bytes: null },
      { work_key: 'solid', wkt: 'POLYGON Z ((0 0 1,1 0 2,1 1 3,0 0 1))', srid: 4326, same_bytes: true },
    ]);
  });

  test('eight clients on the same forty keys raise nothing and count exactly', async () => {
    const works = Array.from({ length: 200 }, (_, index) => ({
      ...parcel,
      work_key: `busy-${index % 40}`,
      params: { n: index % 3 },
    }));
    const shuffled = (seed: number) => works.map((_, index) => works[(index * 37 + seed * 11) % works.length]!);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, seed) => storeBy(database.url, 'geotask_dlq', shuffled(seed))),
    );
    expect(results).toEqual(Array(8).fill({ stored: 200, errors: [] }));
    const counts = await rows(
      `select e.attempts, (select count(*)::int from dlq.occurrence o where o.entry_id = e.id) as occurrences, g.attempts as theirs
       from dlq.entry e join geotask_dlq g using (work_key) where e.work_key like 'busy-%'`,
    );
    expect(counts).toEqual(Array(40).fill({ attempts: 40, occurrences: 40, theirs: 40 }));
  });

  test('a producer with dlq_compat first on its path loses no payload that PostGIS refuses', async () => {
    const compat = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-csearch_path%3Ddlq_compat%2Cpublic`;
    const unclosed =
      '01030000000100000003000000000000000000000000000000000000000000000000000040000000000000004000000000000000400000000000000000';
    const works = [
      { ...parcel, work_key: 'unclosed', wkb_hex: unclosed },
      { ...parcel, work_key: 'truncated', wkb_hex: unclosed.slice(0, 60) },
    ];
    expect((await storeBy(database.url, 'geotask_dlq', works)).errors).toHaveLength(2);
    expect(await storeBy(compat, 'geotask_dlq', works)).toEqual({ stored: 2, errors: [] });
    const stored = await rows(
      "select e.work_key, encode(p.geom_wkb, 'hex') as hex, p.geom is null as refused, p.geom_error from dlq.entry e join dlq.payload p on p.entry_id = e.id where e.work_key in ('unclosed', 'truncated') order by 1",
    );
    expect(stored[0]).toMatchObject({ work_key: 'truncated', hex: unclosed.slice(0, 60), refused: true });
    expect(stored[0]?.geom_error).toBeTruthy();
    expect(stored[1]).toMatchObject({ work_key: 'unclosed', refused: false });
  });
});

describe('the second document’s statement, by psycopg', () => {
  const work = {
    task_id: 'feature-7',
    wkt: 'POLYGON ((-120 35, -119 35, -119 36, -120 36, -120 35))',
    epsg: 4326,
    payload: { k: 'v' },
    error: 'TopologyException: side location conflict',
  };

  test('its rows are entries, classified from their words, under the role’s task name', async () => {
    await database.pool.query(
      `alter database ${new URL(database.url).pathname.slice(1)} set dlq.task_name = 'clip_features'`,
    );
    expect(await storeBy(database.url, 'failed_geotasks', [work, work])).toEqual({ stored: 2, errors: [] });
    const entry = await one("select * from dlq.entry where task_id = 'feature-7'");
    expect(entry).toMatchObject({
      attempts: 2,
      task_name: 'clip_features',
      failure_class: 'invalid_geometry',
      failure_class_claimed: null,
      classified_by: 'classifier',
      via: 'failed_geotasks',
    });
    expect(entry?.work_key).toBe(`feature-7:${entry?.geom_hash}`);
  });

  test('eight clients at once count exactly', async () => {
    const works = Array.from({ length: 100 }, (_, index) => ({ ...work, task_id: `many-${index % 20}` }));
    const results = await Promise.all(Array.from({ length: 8 }, () => storeBy(database.url, 'failed_geotasks', works)));
    expect(results).toEqual(Array(8).fill({ stored: 100, errors: [] }));
    const counts = await rows("select attempts from dlq.entry where task_id like 'many-%'");
    expect(counts).toEqual(Array(20).fill({ attempts: 40 }));
  });

  test('its first two verification queries answer, and the third has a working form over footprints', async () => {
    await storeBy(database.url, 'failed_geotasks', [
      { ...work, task_id: 'utm', wkt: 'POINT (500000 5000000)', epsg: 32631 },
      { ...work, task_id: 'elsewhere', wkt: 'POINT (10 50)', epsg: 4326 },
    ]);
    const stored = await rows(
      "SELECT id, task_id, ST_SRID(geom) AS srid, ST_IsValid(geom) AS valid FROM failed_geotasks WHERE status = 'pending' ORDER BY first_seen DESC LIMIT 20",
    );
    expect(stored.length).toBeGreaterThan(2);
    expect(stored.every((row) => row.srid > 0)).toBe(true);
    const by_epsg = await rows(
      "SELECT epsg, count(*) AS n FROM failed_geotasks WHERE status = 'pending' GROUP BY epsg ORDER BY n DESC",
    );
    expect(by_epsg.map((row) => row.epsg).sort()).toEqual([32631, 4326]);
    while ((await diagnoseBatch(database.db)) > 0);
    const [inside] = await rows(
      `select count(*)::int as n, bool_and(e.task_id <> 'elsewhere') as only_there
       from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id
       where e.via = 'failed_geotasks' and ST_Intersects(d.footprint, ST_MakeEnvelope(-124.5, 32.5, -114.0, 42.0, 4326))`,
    );
    expect(inside).toEqual({ n: 21, only_there: true });
  });

  test('ogrinfo opens both tables as layers, mixed reference systems and all', async () => {
    for (const table of ['geotask_dlq', 'failed_geotasks']) {
      const { status, stdout, stderr } = spawnSync(
        '/usr/bin/ogrinfo',
        ['-so', database.url.replace(/^postgres:/, 'postgresql:'), table],
        {
          encoding: 'utf8',
        },
      );
      const [{ n }] = await rows(`select count(*)::int as n from ${table}`);
      expect(status, stderr).toBe(0);
      expect(stdout).toContain(`Layer name: ${table}`);
      expect(stdout).toContain(`Feature Count: ${n}`);
    }
  });

  test('what becomes of an entry is written back in the document’s words, and the team’s own words are heard', async () => {
    await followIntoTables(database.db);
    await database.pool.query(
      "update dlq.state s set state = 'resolved', resolution = 'abandoned', resolved_at = now(), version = version + 1 from dlq.entry e where e.id = s.entry_id and e.task_id = 'utm'",
    );
    expect(await followIntoTables(database.db)).toBe(1);
    expect(await one("select status from failed_geotasks where task_id = 'utm'")).toEqual({ status: 'quarantined' });
    await database.pool.query("update failed_geotasks set status = 'pending' where task_id = 'utm'");
    expect(
      await one(
        "select s.state, s.reopen_count from dlq.entry e join dlq.state s on s.entry_id = e.id where e.task_id = 'utm'",
      ),
    ).toEqual({ state: 'open', reopen_count: 1 });
  });
});
