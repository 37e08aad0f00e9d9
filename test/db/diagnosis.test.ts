import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { lockWaits } from '../support/lock-waits';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

type Given = Record<string, unknown> & { work_key: string };
const capture = (given: Given) =>
  captureOne({ db: database.db }, { text: JSON.stringify({ task_name: 'reproject', ...given }), via: 'http' });
const diagnoseAll = async () => {
  while ((await diagnoseBatch(database.db)) > 0);
};
async function diagnosisOf(work_key: string) {
  const { rows } = await database.pool.query(
    `select d.valid, d.faults, d.unmappable_reason, d.reproject_error, ST_AsText(d.footprint, 4) as footprint, d.outline is not null as outlined,
       s.cell is not null as placed, dlq.cell_lon(s.cell) as lon, dlq.cell_lat(s.cell) as lat, s.public_cell, s.tile_distance_m, s.version::int,
       c.unmappable_reason as facet
     from dlq.entry e join dlq.diagnosis d on d.entry_id = e.id join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo
     where e.work_key = $1`,
    [work_key],
  );
  return rows[0];
}
const codes = (faults: { code: string }[]) => faults.map((fault) => fault.code);

/** Name, what is captured, the reason for no footprint (null: it has one). */
const KINDS: [string, Record<string, unknown>, string | null][] = [
  ['point', { geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326' }, null],
  ['utm', { geom_wkt: 'POINT (500000 5000000)', src_crs: 'urn:ogc:def:crs:EPSG::32631' }, null],
  ['by-number', { geom_wkt: 'POINT (500000 5000000)', srid: 32631 }, null],
  ['esri', { geom_wkt: 'POINT (1113194 6446275)', src_crs: 'ESRI:102100' }, null],
  ['proj-text', { geom_wkt: 'POINT (500000 5000000)', src_crs: '+proj=utm +zone=31 +datum=WGS84' }, null],
  ['bowtie', { geom_wkt: 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))', src_crs: 'EPSG:4326' }, null],
  ['unclosed', { geom_wkt: 'POLYGON ((0 0, 2 0, 2 2))', src_crs: 'EPSG:4326' }, null],
  ['solid', { geom_wkt: 'POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 0 1))', src_crs: 'EPSG:4326' }, null],
  ['antimeridian', { geom_wkt: 'POLYGON ((170 10, -170 10, -170 20, 170 20, 170 10))', src_crs: 'EPSG:4326' }, null],
  [
    'collection',
    { geom_wkt: 'GEOMETRYCOLLECTION (POINT (1 1), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1)))', src_crs: 'EPSG:4326' },
    null,
  ],
  ['raster', {}, 'no_geometry'],
  ['truncated', { geom_wkb: '0103000000010000000500000000', src_crs: 'EPSG:4326' }, 'unreadable'],
  ['garbage', { geom_wkb: 'deadbeef', src_crs: 'EPSG:4326' }, 'unreadable'],
  ['nothing-in-it', { geom_wkt: 'POLYGON EMPTY', src_crs: 'EPSG:4326' }, 'empty'],
  ['nan', { geom_wkt: 'LINESTRING (0 0, NaN 1, 2 2)', src_crs: 'EPSG:4326' }, 'non_finite'],
  ['infinite', { geom_wkt: 'POINT (Infinity 1)', src_crs: 'EPSG:4326' }, 'non_finite'],
  ['unclaimed', { geom_wkt: 'POINT (1 1)' }, 'no_crs'],
  ['unknown-code', { geom_wkt: 'POINT (1 1)', src_crs: 'EPSG:99999' }, 'unknown_crs'],
  ['unknown-text', { geom_wkt: 'POINT (1 1)', src_crs: 'not a crs' }, 'unknown_crs'],
  ['swapped', { geom_wkt: 'POINT (-35 140)', src_crs: 'EPSG:4326' }, 'outside_projection'],
  ['metres-as-degrees', { geom_wkt: 'POINT (500000 5000000)', src_crs: 'EPSG:4326' }, 'outside_projection'],
  ['huge', { geom_wkt: 'POINT (1e30 1e30)', src_crs: 'EPSG:32631' }, 'outside_projection'],
];

describe('the diagnosis', () => {
  test('one batch of the worst geometries is diagnosed whole, each with its footprint or the reason for none', async () => {
    for (const [work_key, given] of KINDS) await capture({ work_key, ...given });
    expect(await diagnoseBatch(database.db)).toBe(KINDS.length);
    for (const [work_key, , reason] of KINDS) {
      const diagnosis = await diagnosisOf(work_key);
      expect({ work_key, reason: diagnosis?.unmappable_reason, facet: diagnosis?.facet }).toEqual({
        work_key,
        reason,
        facet: reason,
      });
      expect({ work_key, placed: diagnosis?.placed, drawn: diagnosis?.footprint !== null }).toEqual({
        work_key,
        placed: reason === null,
        drawn: reason === null,
      });
    }
  });

  test('what waits no longer is not taken again', async () => {
    expect(await diagnoseBatch(database.db)).toBe(0);
  });

  test('a bow-tie keeps its shape and names the crossing', async () => {
    const diagnosis = await diagnosisOf('bowtie');
    expect(diagnosis).toMatchObject({ valid: false, footprint: 'POLYGON((0 0,2 2,2 0,0 2,0 0))', outlined: true });
    expect(diagnosis?.faults).toEqual([
      expect.objectContaining({ code: 'self_intersection', at: [1, 1], severity: 'fails' }),
    ]);
  });

  test('an unclosed ring is named once, first by GEOS’s word for it', async () => {
    expect(codes((await diagnosisOf('unclosed'))?.faults)).toEqual(['unclosed_ring', 'too_few_points']);
  });

  test('a polygon over 180° is split there and stays near 180°', async () => {
    const diagnosis = await diagnosisOf('antimeridian');
    expect(diagnosis?.footprint).toMatch(/^MULTIPOLYGON/);
    expect(codes(diagnosis?.faults)).toContain('crosses_antimeridian');
    expect(Math.abs(diagnosis?.lon)).toBeGreaterThan(169);
  });

  test('the database’s projection places an entry, by code, number or text alike', async () => {
    for (const work_key of ['utm', 'by-number', 'proj-text']) {
      const { lon, lat } = (await diagnosisOf(work_key)) ?? {};
      expect([work_key, lon.toFixed(3), lat.toFixed(3)]).toEqual([work_key, '3.000', '45.153']);
    }
  });

  test('the distance to the tile is measured in metres, and is 0 inside it', async () => {
    const tile = { tile_z: 4, tile_x: 8, tile_y: 5, src_crs: 'EPSG:4326' };
    await capture({ work_key: 'in-its-tile', geom_wkt: 'POINT (10 50)', ...tile });
    await capture({ work_key: 'south-of-it', geom_wkt: 'POINT (10 30)', ...tile });
    await diagnoseAll();
    expect((await diagnosisOf('in-its-tile'))?.tile_distance_m).toBe(0);
    const south = (await diagnosisOf('south-of-it'))?.tile_distance_m;
    expect(Math.abs(south - 1_220_000)).toBeLessThan(30_000);
  });

  test('a window that is not wholly inside its raster is a fault, where the raster’s size was captured', async () => {
    const source_window = { col_off: 500, row_off: 0, width: 100, height: 100 };
    await capture({ work_key: 'window', source_window, params: { raster_width: 512, raster_height: 512 } });
    await capture({ work_key: 'window-inside', source_window, params: { raster_width: 600, raster_height: 512 } });
    await capture({ work_key: 'window-unknown', source_window, params: { raster_width: 512 } });
    await diagnoseAll();
    expect((await diagnosisOf('window'))?.faults).toMatchObject([{ code: 'window_outside_raster', severity: 'fails' }]);
    expect((await diagnosisOf('window-inside'))?.faults).toEqual([]);
    expect((await diagnosisOf('window-unknown'))?.faults).toEqual([]);
  });

  test('a sensitive entry has a position, and none that a viewer may see', async () => {
    await capture({ work_key: 'secret', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326', sensitive: true });
    await diagnoseAll();
    expect(await diagnosisOf('secret')).toMatchObject({ placed: true, public_cell: null });
  });

  test('a capture with another payload is diagnosed anew, and a diagnosis is no change of the entry’s version', async () => {
    await capture({ work_key: 'moves', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326' });
    await diagnoseAll();
    expect(await diagnosisOf('moves')).toMatchObject({ version: 1 });
    await capture({ work_key: 'moves', geom_wkt: 'POINT (20 40)', src_crs: 'EPSG:4326' });
    await diagnoseAll();
    const diagnosis = await diagnosisOf('moves');
    expect(diagnosis).toMatchObject({ footprint: 'POINT(20 40)', version: 2 });
    expect(diagnosis?.lon).toBeCloseTo(20, 3);
  });

  test('a capture that commits while its entry is diagnosed leaves nothing half done', async () => {
    await capture({ work_key: 'busy', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326', code_version: '1.0' });
    const writer = await database.pool.connect();
    try {
      await writer.query('begin');
      const again = {
        work_key: 'busy',
        task_name: 'reproject',
        src_crs: 'EPSG:4326',
        code_version: '1.1',
        via: 'http',
        geom_given: 'POINT (10 50)',
        geom_format: 'wkt',
      };
      await writer.query(
        "select dlq.capture($1::jsonb, (select geom_wkb from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = 'busy'))",
        [again],
      );
      const diagnosing = diagnoseBatch(database.db);
      await lockWaits(database.pool);
      await writer.query('commit');
      await diagnosing;
    } finally {
      writer.release();
    }
    const { rows } = await database.pool.query(
      `select c.code_version, c.unmappable_reason, s.cell is not null as placed from dlq.entry e join dlq.state s on s.entry_id = e.id
         join dlq.combo c on c.id = s.combo where e.work_key = 'busy'`,
    );
    expect(rows).toEqual([{ code_version: '1.1', unmappable_reason: null, placed: true }]);
  });

  test('a geometry that breaks its batch is tried alone and given up by name, and the others are diagnosed', async () => {
    await capture({ work_key: 'breaks', geom_wkt: 'POINT (77 7)', src_crs: 'EPSG:4326' });
    await capture({ work_key: 'beside-it', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326' });
    await database.pool.query(
      `alter table dlq.diagnosis add constraint breaks check (footprint is null or ST_X(ST_PointN(ST_Boundary(ST_Expand(footprint, 1)), 1)) <> 76)`,
    );
    await diagnoseAll();
    expect(await diagnosisOf('breaks')).toMatchObject({ unmappable_reason: 'unreadable', placed: false });
    expect((await diagnosisOf('breaks'))?.reproject_error).toMatch(/breaks/);
    expect(await diagnosisOf('beside-it')).toMatchObject({ unmappable_reason: null, placed: true });
  });
});
