import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EvidenceRow, getEvidenceRow } from '@/db/queries/get-evidence';
import type { Fault } from '@/lib/contract/entry';
import type { Candidate } from '@/lib/crs/judge-crs';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

interface Diagnosed extends Omit<EvidenceRow, 'faults' | 'candidates'> {
  faults: Fault[];
  candidates: Candidate[];
  placed: boolean;
}

let count = 0;
/** Captured, diagnosed and read as the evidence of an operator. */
async function diagnosed(given: Record<string, unknown>): Promise<Diagnosed> {
  const work_key = `case-${++count}`;
  const { id } = await captureOne(
    { db: database.db },
    { text: JSON.stringify({ work_key, task_name: `task-${count}`, ...given }), via: 'http' },
  );
  while ((await diagnoseBatch(database.db)) > 0);
  return (await getEvidenceRow(database.db, id, 'operator', {
    most_bytes: 1_000_000,
    inline_bytes: 1_000_000,
  })) as unknown as Diagnosed;
}

const reports = readFileSync(path.join(import.meta.dirname, '../fixtures/cases/public-reports.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const report = (id: string) => {
  const { src_crs, target_crs, wkt, wkb_hex, failure_class } = reports.find((one) => one.id === id);
  return { src_crs, target_crs, failure_class, geom_wkt: wkt, geom_wkb: wkb_hex };
};
const codes = ({ faults }: Diagnosed) => faults.map(({ code }) => code);

const leading = ({ candidates }: Diagnosed) => candidates[0];
const metresFrom = async (place: readonly number[] | undefined, [lon, lat]: readonly [number, number]) => {
  const { rows } = await database.pool.query<{ m: number }>(
    'select ST_Distance(ST_MakePoint($1, $2)::geography, ST_MakePoint($3, $4)::geography) as m',
    [place?.[0], place?.[1], lon, lat],
  );
  return rows[0]?.m;
};

describe('latitude before longitude', () => {
  test('in pyproj#1144: 140 -35 was meant, in Australia', async () => {
    const one = await diagnosed(report('pyproj-1144'));
    expect(one).toMatchObject({
      crs_verdict: 'axis_swapped',
      suggestion: 'EPSG:4326',
      unmappable_reason: 'outside_projection',
    });
    expect(leading(one)).toMatchObject({ crs: 'EPSG:4326', swapped: true, place: [140, -35] });
  });

  test.each([
    ['POLYGON((-35.1 140,-35 140,-35 140.1,-35.1 140.1,-35.1 140))', 'EPSG:3577', [140, -35.1]],
    ['POINT(47.6 -122.3)', 'EPSG:2285', [-122.3, 47.6]],
    ['LINESTRING(35.6 139.7,35.7 139.8)', 'EPSG:6677', [139.7, 35.6]],
  ] as const)('%s for %s', async (geom_wkt, target_crs, place) => {
    const one = await diagnosed({ geom_wkt, src_crs: 'EPSG:4326', target_crs });
    expect(one).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:4326' });
    expect(leading(one)?.swapped).toBe(true);
    expect(await metresFrom(leading(one)?.place, place)).toBeLessThan(1_000_000);
  });
});

describe('a target that cannot hold the place', () => {
  test('in geopandas#798: EPSG:3854 is Stockholm county, EPSG:3857 was meant', async () => {
    const one = await diagnosed(report('geopandas-798'));
    expect(one).toMatchObject({ crs_verdict: 'outside_target_area', placed: true, unmappable_reason: null });
    expect(one.crs_reason).toMatch(/EPSG:3854.*Stockholm.*EPSG:3857/);
  });

  test.each([
    ['POINT(2.35 48.86)', 'EPSG:4326', 'EPSG:2263', /New York/],
    ['POINT(-74.1 40.7)', 'EPSG:4326', 'EPSG:27700', /UK/],
    [
      'POLYGON((356000.5 5645000.5,356100.5 5645000.5,356100.5 5645100.5,356000.5 5645000.5))',
      'EPSG:25832',
      'EPSG:2193',
      /New Zealand/,
    ],
  ])('%s in %s for %s', async (geom_wkt, src_crs, target_crs, words) => {
    const one = await diagnosed({ geom_wkt, src_crs, target_crs });
    expect(one).toMatchObject({ crs_verdict: 'outside_target_area', unmappable_reason: null });
    expect(one.crs_reason).toMatch(words);
    expect(one.crs_reason).toContain(target_crs);
  });

  test('is none where it can', async () => {
    const one = await diagnosed({ geom_wkt: 'POINT(18.07 59.33)', src_crs: 'EPSG:4326', target_crs: 'EPSG:3854' });
    expect(one.crs_verdict).toBe('agrees');
  });
});

describe('a deprecated code', () => {
  test('in pyproj#235: the replacement EPSG:3004 puts it at 13.7595E 45.6472N; as claimed it lies far to the east', async () => {
    const one = await diagnosed(report('pyproj-235'));
    expect(one).toMatchObject({ crs_verdict: 'deprecated', placed: true });
    expect(leading(one)).toMatchObject({ crs: 'EPSG:3004' });
    expect(await metresFrom(leading(one)?.place, [13.7595, 45.6472])).toBeLessThan(500);
    const { rows } = await database.pool.query(
      'select ST_X(footprint)::numeric(6, 2)::text as lon from dlq.diagnosis where entry_id = $1',
      [one.id],
    );
    expect(rows).toEqual([{ lon: '26.21' }]);
  });

  test.each([
    ['POINT(1523346.5 5055619.25)', 'EPSG:26591', 'EPSG:3003', [9.3, 45.65]],
    ['POINT(2500000.5 4700000.25)', 'EPSG:26592', 'EPSG:3004', [14.76, 42.45]],
  ] as const)('%s in %s is named, and %s as its replacement', async (geom_wkt, src_crs, replacement, place) => {
    const one = await diagnosed({ geom_wkt, src_crs });
    expect(one.crs_verdict).toBe('deprecated');
    expect(leading(one)?.crs).toBe(replacement);
    expect(await metresFrom(leading(one)?.place, place)).toBeLessThan(2000);
  });
});

describe('pixels', () => {
  test('in mmdetection#1745 cross at 344.87 30.10, and are given no CRS', async () => {
    const one = await diagnosed(report('mmdetection-1745'));
    expect(one).toMatchObject({ crs_verdict: 'not_geographic', suggestion: null, candidates: [], valid: false });
    expect(one).toMatchObject({ unmappable_reason: 'not_geographic', placed: false, reprojected_wkb: null });
    expect(one.faults[0]).toMatchObject({ code: 'self_intersection', severity: 'fails' });
    expect(one.faults[0]?.at?.map((n) => n.toFixed(2))).toEqual(['344.87', '30.10']);
  });

  test.each([
    ['POLYGON((10 10,500 400,500 10,10 400,10 10))', [255, 205]],
    ['MULTIPOLYGON(((0 0,640 0,640 480,0 480,0 0)),((700 0,900 200,900 0,700 200,700 0)))', [800, 100]],
  ] as const)('%s', async (geom_wkt, at) => {
    const one = await diagnosed({ geom_wkt });
    expect(one).toMatchObject({ crs_verdict: 'not_geographic', suggestion: null, unmappable_reason: 'not_geographic' });
    expect(one.faults[0]).toMatchObject({ code: 'self_intersection', at });
  });
});

describe('a vertex that is no number', () => {
  test('in gdal#3542 is never on the map, and breaks no other of its batch', async () => {
    await captureOne(
      { db: database.db },
      {
        text: JSON.stringify({
          work_key: 'good',
          task_name: 'good',
          geom_wkt: 'POINT(7.25 50.5)',
          src_crs: 'EPSG:4326',
        }),
        via: 'http',
      },
    );
    const one = await diagnosed(report('gdal-3542'));
    expect(one).toMatchObject({
      crs_verdict: 'non_finite',
      suggestion: null,
      unmappable_reason: 'non_finite',
      placed: false,
    });
    expect(codes(one)).toEqual(['non_finite_vertex']);
    const { rows } = await database.pool.query(
      `select e.work_key, s.cell is not null as placed from dlq.entry e join dlq.state s on s.entry_id = e.id where e.work_key = 'good'`,
    );
    expect(rows).toEqual([{ work_key: 'good', placed: true }]);
  });

  test.each([
    ['LINESTRING(0.5 0.5,NaN 1,2 2)', [1]],
    ['POLYGON((0.5 0,4 0,4 Infinity,0.5 4,0.5 0))', [0, 2]],
    ['MULTIPOINT((1.5 1),(NaN NaN),(2 2))', [1]],
  ])('%s', async (geom_wkt, where) => {
    const one = await diagnosed({ geom_wkt, src_crs: 'EPSG:4326' });
    expect(one).toMatchObject({
      crs_verdict: 'non_finite',
      unmappable_reason: 'non_finite',
      placed: false,
      reprojected_wkb: null,
    });
    expect(one.faults.find(({ code }) => code === 'non_finite_vertex')).toMatchObject({
      path: where,
      at: null,
      severity: 'fails',
    });
  });
});
