import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { readCapture } from '@/lib/ingest/read-capture';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { storeBy } from './seed-clients/store';
import { feature, parcel, teamOf } from './seed-clients/team';

/** The silent faults of the two documents' statements, run unchanged by psycopg, and what becomes of them here. */
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const { rows, one, entryOf, storeFirst, storeSecond } = teamOf(() => database);
const compat = () =>
  `${database.url}${database.url.includes('?') ? '&' : '?'}options=-csearch_path%3Ddlq_compat%2Cpublic`;
const diagnoseAll = async () => {
  while ((await diagnoseBatch(database.db)) > 0);
};
const stored = (n: number) => ({ stored: n, errors: [] });

describe('an upsert', () => {
  test('shows the newest failure whole, where the team’s row keeps the first one’s payload; both are kept', async () => {
    const again = {
      ...parcel,
      work_key: 'stale',
      wkt: 'POINT (500000 5500000)',
      srid: 25832,
      src_crs: 'EPSG:25832',
      params: { a: 2 },
      failure_class: 'oom',
      error_text: 'MemoryError',
      traceback: 'second',
    };
    expect(await storeFirst({ ...parcel, work_key: 'stale', traceback: 'first' }, again)).toEqual(stored(2));
    expect(
      await one(
        "select ST_AsText(geom) as wkt, params, failure_class, traceback from geotask_dlq where work_key = 'stale'",
      ),
    ).toEqual({ wkt: 'POINT(10 50)', params: { a: 1 }, failure_class: 'unknown', traceback: 'first' });
    expect(await entryOf('stale')).toMatchObject({
      wkt: 'POINT(500000 5500000)',
      srid: 25832,
      src_crs: 'EPSG:25832',
      params: { a: 2 },
      failure_class: 'oom',
      error_class: 'transient',
      traceback: 'second',
    });
    const kept = await rows(
      "select p.params, o.failure_class, o.traceback from dlq.occurrence o join dlq.payload p using (entry_id, payload_hash) join dlq.entry e on e.id = o.entry_id where e.work_key = 'stale' order by o.received_at",
    );
    expect(kept).toEqual([
      { params: { a: 1 }, failure_class: 'unknown', traceback: 'first' },
      { params: { a: 2 }, failure_class: 'oom', traceback: 'second' },
    ]);
  });

  test('after a resolution makes the failure visible again, in the entry and in the document’s own open index', async () => {
    await storeFirst({ ...parcel, work_key: 'hidden' });
    await rows("update geotask_dlq set resolved_at = now(), redriven_at = now() where work_key = 'hidden'");
    await storeFirst({ ...parcel, work_key: 'hidden' });
    expect(
      await rows("select work_key from geotask_dlq where resolved_at is null and work_key = 'hidden'"),
    ).toHaveLength(1);
    expect(await entryOf('hidden')).toMatchObject({ state: 'open', reopen_count: 1, attempts: 2 });
  });

  test('after a replay is pending again, with the newest payload and error class', async () => {
    await storeSecond({ ...feature, task_id: 'replayed' });
    await rows("update failed_geotasks set status = 'replayed' where task_id = 'replayed'");
    expect(await entryOf('replayed', 'failed_geotasks')).toMatchObject({ state: 'resolved', resolution: 'fixed' });
    await storeSecond({ ...feature, task_id: 'replayed', payload: { k: 2 }, error_class: 'transient' });
    expect(await one("select status, error_class, payload from failed_geotasks where task_id = 'replayed'")).toEqual({
      status: 'pending',
      error_class: 'fatal',
      payload: { k: 1 },
    });
    expect(await entryOf('replayed', 'failed_geotasks')).toMatchObject({
      state: 'open',
      reopen_count: 1,
      attempts: 2,
      error_class: 'transient',
      params: { k: 2 },
    });
  });

  test('of another task’s key is that task’s own entry, and leaves the first task’s row as resolved as its entry', async () => {
    await storeFirst({ ...parcel, work_key: 'shared' });
    await rows("update geotask_dlq set resolved_at = now() where work_key = 'shared'");
    await storeFirst({ ...parcel, work_key: 'shared', task_name: 'clip' });
    expect(await entryOf('shared')).toMatchObject({ state: 'resolved', attempts: 1 });
    expect(await entryOf('shared', 'clip')).toMatchObject({ state: 'open', attempts: 1 });
    expect(await one("select resolved_at is not null as resolved from geotask_dlq where work_key = 'shared'")).toEqual({
      resolved: true,
    });
  });
});

describe('reference systems', () => {
  test('a number that PostGIS clamps keeps its claim; with dlq_compat first, the number too', async () => {
    await storeFirst({ ...parcel, work_key: 'clamped', srid: 9999999, src_crs: 'EPSG:9999999' });
    await storeSecond({ ...feature, task_id: 'clamped', epsg: 9999999 });
    expect(await entryOf('clamped')).toMatchObject({ srid: 999009, src_crs: 'EPSG:9999999' });
    expect(await entryOf('clamped', 'failed_geotasks')).toMatchObject({ srid: 999009, src_crs: 'EPSG:9999999' });
    expect(
      await storeBy(compat(), 'geotask_dlq', [
        { ...parcel, work_key: 'exact', srid: 9999999 },
        { ...parcel, work_key: 'next' },
      ]),
    ).toEqual(stored(2));
    expect(await entryOf('exact')).toMatchObject({ srid: 9999999, geom_srid: 999009 });
    expect(await entryOf('next')).toMatchObject({ srid: 4326 });
    await diagnoseAll();
    const verdicts = await rows(
      "select e.task_name, d.footprint is null as unmapped, d.unmappable_reason from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id where coalesce(e.task_id, e.work_key) = 'clamped'",
    );
    expect(verdicts).toHaveLength(2);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ unmapped: true, unmappable_reason: 'unknown_crs' });
  });

  test('SRID 0, which the document writes for what EPSG does not have, is mapped by its claim', async () => {
    await storeFirst({
      ...parcel,
      work_key: 'mollweide',
      wkt: 'POINT (1000000 5000000)',
      srid: 0,
      src_crs: 'ESRI:54009',
    });
    await diagnoseAll();
    expect(await entryOf('mollweide')).toMatchObject({ srid: null, src_crs: 'ESRI:54009' });
    const [{ lon }] = await rows(
      "select ST_X(d.footprint)::float8 as lon from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id where e.work_key = 'mollweide'",
    );
    expect(lon).toBeCloseTo(11.98815, 5);
  });

  test('the document’s region query fails on mixed SRIDs; over footprints it answers, also beside metres called degrees', async () => {
    await storeSecond(
      { ...feature, task_id: 'ohio', wkt: 'POLYGON ((-120 35, -119 35, -119 36, -120 36, -120 35))' },
      { ...feature, task_id: 'utm', wkt: 'POINT (-119.5 35.5)', epsg: 32611 },
      { ...feature, task_id: 'utm inside', wkt: 'POINT (300000 3900000)', epsg: 32611 },
      { ...feature, task_id: 'metres', wkt: 'POINT (300000 3900000)', epsg: 4326 },
    );
    await diagnoseAll();
    await expect(
      rows(
        'SELECT count(*) FROM failed_geotasks WHERE ST_Intersects(geom, ST_MakeEnvelope(-124.5, 32.5, -114.0, 42.0, 4326))',
      ),
    ).rejects.toThrow('mixed SRID');
    const inside = await rows(
      `select e.task_id from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id
       where ST_Intersects(d.footprint, ST_MakeEnvelope(-124.5, 32.5, -114.0, 42.0, 4326)) and e.task_id is not null order by 1`,
    );
    expect(inside.map(({ task_id }) => task_id)).toEqual(['ohio', 'utm inside']);
    expect(
      await one(
        "select d.unmappable_reason from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id where e.task_id = 'metres'",
      ),
    ).toEqual({ unmappable_reason: 'outside_projection' });
  });
});

describe('payloads', () => {
  test('a 3-D feature and a task without geometry fit into the second document’s table', async () => {
    expect(
      await storeSecond(
        { ...feature, task_id: 'solid', wkt: 'POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 0 1))' },
        { ...feature, task_id: 'raster', wkt: null },
      ),
    ).toEqual(stored(2));
    expect(await entryOf('solid', 'failed_geotasks')).toMatchObject({ wkt: 'POLYGON Z ((0 0 1,1 0 2,1 1 3,0 0 1))' });
    expect(await entryOf('raster', 'failed_geotasks')).toMatchObject({ wkt: null, src_crs: 'EPSG:4326' });
  });

  test.each(['geotask_dlq', 'failed_geotasks'] as const)(
    'what PostGIS refuses reaches %s with dlq_compat first, bytes and number',
    async (table) => {
      const truncated = '0103000000010000000300000000000000';
      const work = table === 'geotask_dlq' ? { ...parcel, work_key: 'cut off' } : { ...feature, task_id: 'cut off' };
      const plain = await storeBy(database.url, table, [{ ...work, wkb_hex: truncated }]);
      expect(plain.errors).toHaveLength(1);
      expect(
        await storeBy(compat(), table, [
          { ...work, wkb_hex: truncated },
          { ...work, wkb_hex: truncated },
        ]),
      ).toEqual(stored(2));
      const kept = await one(
        'select p.geom_wkb, p.srid, p.geom is null as unread, p.geom_error is not null as told, e.attempts from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.via = $1 and p.geom_wkb = $2',
        [table, Buffer.from(truncated, 'hex')],
      );
      expect(kept).toEqual({
        geom_wkb: Buffer.from(truncated, 'hex'),
        srid: 4326,
        unread: true,
        told: true,
        attempts: 2,
      });
    },
  );

  test.each([
    ['NaN in params', { params_text: '{"nodata": NaN}' }, /invalid input syntax for type json/],
    ['NUL in params', { params_text: '{"name": "a\\u0000b"}' }, /unsupported Unicode escape sequence/],
    ['NUL in the error', { error_text: 'a\u0000b', error: 'a\u0000b' }, /NUL/],
  ])(
    '%s reaches no trigger: the statement fails aloud, half of nothing is stored, and the HTTP door takes it whole',
    async (_, odd, message) => {
      for (const [table, work] of [
        ['geotask_dlq', { ...parcel, work_key: 'odd' }],
        ['failed_geotasks', { ...feature, task_id: 'odd' }],
      ] as const) {
        const { errors } = await storeBy(database.url, table, [{ ...work, ...odd }]);
        expect(errors[0]).toMatch(message);
      }
      expect(
        await one(
          "select (select count(*)::int from geotask_dlq where work_key = 'odd') + (select count(*)::int from failed_geotasks where task_id = 'odd') + (select count(*)::int from dlq.entry where work_key ~ '^odd') as n",
        ),
      ).toEqual({ n: 0 });
      const { params_text = '{}', error_text = 'failed' } = odd as { params_text?: string; error_text?: string };
      const text = `{"work_key": ${JSON.stringify(`door ${params_text}`)}, "task_name": "reproject", "error_text": ${JSON.stringify(error_text)}, "params": ${params_text.replace('NaN', '"NaN"')}}`;
      expect(await storeChunk(database.db, [readCapture(text, { via: 'http' })])).toMatchObject([
        { outcome: 'created' },
      ]);
    },
  );

  test('in a transaction that has failed already nothing can be written: that is told, not hidden', async () => {
    const { stored: count, errors } = await storeFirst(
      { ...parcel, work_key: 'aborted', after_an_error: true },
      { ...parcel, work_key: 'aborted' },
    );
    expect(count).toBe(1);
    expect(errors[0]).toContain('current transaction is aborted');
    expect(await entryOf('aborted')).toMatchObject({ attempts: 1 });
  });
});
