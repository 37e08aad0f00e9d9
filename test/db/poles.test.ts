import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '@/lib/contract/entry';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

interface Located {
  valid: boolean | null;
  faults: Fault[];
  unmappable_reason: string | null;
  reproject_error: string | null;
  footprint: string | null;
  placed: boolean;
  lat: number | null;
  lon: number | null;
  west: number;
  east: number;
  /** Of the map, 3857. */
  highest: number | null;
  is_valid: boolean | null;
  area_km2: number | null;
  parts: number | null;
}

let count = 0;
async function located(geom_wkt: string, src_crs: string): Promise<Located> {
  const work_key = `unit-${++count}`;
  const text = JSON.stringify({ work_key, task_name: 't', geom_wkt, src_crs });
  await captureOne({ db: database.db }, { text, via: 'http' });
  while ((await diagnoseBatch(database.db)) > 0);
  const { rows } = await database.pool.query<Located>(
    `select d.valid, d.faults, d.unmappable_reason, d.reproject_error, ST_AsText(d.footprint, 3) as footprint, s.cell is not null as placed,
       dlq.cell_lon(s.cell) as lon, dlq.cell_lat(s.cell) as lat, ST_XMin(d.footprint) as west, ST_XMax(d.footprint) as east,
       greatest(ST_YMax(d.outline), -ST_YMin(d.outline)) as highest, ST_IsValid(d.footprint) as is_valid, ST_NumGeometries(d.footprint) as parts,
       -- cylindrical and equal-area: an edge along a pole is a straight line there
       ST_Area(ST_Transform(ST_Segmentize(d.footprint, 0.5), 6933)) / 1e6 as area_km2
     from dlq.entry e join dlq.diagnosis d on d.entry_id = e.id join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
    [work_key],
  );
  return rows[0] as Located;
}

/** Square kilometres of a shape in degrees, its edges straight in degrees. */
async function degreesArea(wkt: string): Promise<number> {
  const { rows } = await database.pool.query<{ km2: number }>(
    'select ST_Area(ST_Transform(ST_Segmentize(ST_GeomFromText($1, 4326), 0.5), 6933)) / 1e6 as km2',
    [wkt],
  );
  return rows[0]?.km2 as number;
}

/** Square kilometres of a shape of a projection, its edges straight there, by an equal-area projection about `lon` and `lat`. */
async function planeArea(wkt: string, srid: number, [lon, lat]: [number, number]): Promise<number> {
  const { rows } = await database.pool.query<{ km2: number }>(
    `select ST_Area(ST_Transform(ST_Transform(ST_Segmentize(ST_GeomFromText($1, $2::integer), 10000), 4326),
       '+proj=laea +datum=WGS84 +lon_0=' || $3::text || ' +lat_0=' || $4::text)) / 1e6 as km2`,
    [wkt, srid, lon, lat],
  );
  return rows[0]?.km2 as number;
}

const codes = ({ faults }: Located) => faults.map(({ code }) => code);
const fault = ({ faults }: Located, code: string) => faults.find((one) => one.code === code);
function expectArea(shape: Located, km2: number) {
  expect(km2).toBeGreaterThan(1);
  expect(Math.abs((shape.area_km2 ?? 0) / km2 - 1)).toBeLessThan(0.01);
}

describe('a shape over 180°', () => {
  const BOTH_SIDES = 'MULTIPOLYGON(((170 10,180 10,180 20,170 20,170 10)),((-180 10,-170 10,-170 20,-180 20,-180 10)))';
  test.each([
    ['that jumps from 170 to -170', 'POLYGON((170 10,-170 10,-170 20,170 20,170 10))', [170, 10]],
    ['that goes on to 190', 'POLYGON((170 10,190 10,190 20,170 20,170 10))', [170, 10]],
    ['that comes from -190', 'POLYGON((-190 10,-170 10,-170 20,-190 20,-190 10))', [-190, 10]],
    [
      'whose seam is written twice',
      'POLYGON((170 10,180 10,-180 10,-170 10,-170 20,-180 20,180 20,170 20,170 10))',
      null,
    ],
  ])('%s is two parts that meet there', async (_, wkt, at) => {
    const shape = await located(wkt, 'EPSG:4326');
    expect(shape).toMatchObject({ parts: 2, is_valid: true, placed: true, west: -180, east: 180 });
    expectArea(shape, await degreesArea(BOTH_SIDES));
    expect(fault(shape, 'crosses_antimeridian')).toMatchObject({ severity: 'note', at });
    expect(Math.abs(shape.lon ?? 0)).toBeGreaterThan(169);
  });

  test('and Greenwich too keeps both', async () => {
    const shape = await located(
      'POLYGON((90 0,150 0,-150 0,-90 0,-30 0,5 0,5 10,-30 10,-90 10,-150 10,150 10,90 10,90 0))',
      'EPSG:4326',
    );
    expectArea(
      shape,
      await degreesArea('MULTIPOLYGON(((90 0,180 0,180 10,90 10,90 0)),((-180 0,5 0,5 10,-180 10,-180 0)))'),
    );
  });

  test('with holes keeps each hole, on its side or over 180° as well', async () => {
    const shape = await located(
      'POLYGON((160 0,-160 0,-160 20,160 20,160 0),(-175 5,-170 5,-170 10,-175 10,-175 5),(175 5,-178 5,-178 10,175 10,175 5))',
      'EPSG:4326',
    );
    const degrees = 40 * 20 - 5 * 5 - 7 * 5;
    const whole = await degreesArea(
      'POLYGON((0 0,40 0,40 20,0 20,0 0),(5 5,10 5,10 10,5 10,5 5),(15 5,22 5,22 10,15 10,15 5))',
    );
    expect(degrees).toBe(740);
    expectArea(shape, whole);
  });

  test('as a line is two lines, as a track round the world many', async () => {
    expect(await located('LINESTRING(170 10,-170 12)', 'EPSG:4326')).toMatchObject({
      footprint: 'MULTILINESTRING((170 10,180 11),(-180 11,-170 12))',
    });
    const track = await located('LINESTRING(0 0,120 30,-120 0,0 -30,120 0,-120 30,0 0)', 'EPSG:4326');
    expect(track).toMatchObject({ parts: 3, west: -180, east: 180 });
  });

  test.each([
    [
      'UTM 60',
      32660,
      'POLYGON((600000 5000000,900000 5000000,900000 5100000,600000 5100000,600000 5000000))',
      [180, 45],
    ],
    [
      'UTM 1',
      32601,
      'POLYGON((100000 5000000,400000 5000000,400000 5100000,100000 5100000,100000 5000000))',
      [180, 45],
    ],
    ['the Pacific’s Mercator', 3832, 'POLYGON((2e6 -2e6,5e6 -2e6,5e6 -1e6,2e6 -1e6,2e6 -2e6))', [180, -13]],
    ['New Zealand’s grid', 2193, 'POLYGON((1.9e6 5e6,2.4e6 5e6,2.4e6 5.4e6,1.9e6 5.4e6,1.9e6 5e6))', [180, -43]],
  ] as const)('in %s is split there, its area kept', async (_, srid, wkt, centre) => {
    const shape = await located(wkt, `EPSG:${srid}`);
    expect(shape).toMatchObject({ parts: 2, is_valid: true, placed: true });
    expect(shape.east).toBeLessThanOrEqual(180);
    expectArea(shape, await planeArea(wkt, srid, [...centre]));
    expect(fault(shape, 'crosses_antimeridian')?.at).toEqual([expect.any(Number), expect.any(Number)]);
    expect(fault(shape, 'crosses_antimeridian')?.at?.[1]).toBeCloseTo(Number(/\(\(\S+ (\S+?),/.exec(wkt)?.[1]), 3);
  });
});

describe('what only looks as if it crossed 180°', () => {
  test.each([
    ['a box over Greenwich', 'POLYGON((-5 40,5 40,5 50,-5 50,-5 40))'],
    [
      'a shape that is split there already',
      'MULTIPOLYGON(((178 -18,180 -18,180 -16,178 -18)),((-180 -18,-179 -18,-180 -16,-180 -18)))',
    ],
    ['the whole world', 'POLYGON((-180 -80,180 -80,180 80,-180 80,-180 -80))'],
    ['a band round the world with one long edge', 'POLYGON((-180 -10,0 -10,180 -10,180 10,-180 10,-180 -10))'],
    ['points on both sides', 'MULTIPOINT((170 1),(-170 1))'],
    ['a line along the equator', 'LINESTRING(-180 0,180 0)'],
  ])('%s stays as it is', async (_, wkt) => {
    const shape = await located(wkt, 'EPSG:4326');
    expect(shape.footprint?.replaceAll('((', '(').replaceAll('))', ')')).toBe(
      wkt.replaceAll('((', '(').replaceAll('))', ')'),
    );
    expect(codes(shape)).not.toContain('crosses_antimeridian');
  });

  test('a mercator frame that ends short of 180° goes the long way round, as its edges do', async () => {
    const wkt = 'POLYGON((-2e7 -1e7,2e7 -1e7,2e7 1e7,-2e7 1e7,-2e7 -1e7))';
    const shape = await located(wkt, 'EPSG:3857');
    expectArea(
      shape,
      await degreesArea('POLYGON((-179.663 -66.446,179.663 -66.446,179.663 66.446,-179.663 66.446,-179.663 -66.446))'),
    );
    expect(codes(shape)).not.toContain('crosses_antimeridian');
  });
});

describe('a ring round a pole', () => {
  const CAP = 'POLYGON((-180 80,180 80,180 90,-180 90,-180 80))';
  test.each([
    ['without a vertex there', 'POLYGON((0 80,90 80,180 80,-90 80,0 80))'],
    ['the other way round', 'POLYGON((0 80,-90 80,180 80,90 80,0 80))'],
    ['begun elsewhere', 'POLYGON((10 80,100 80,-170 80,-80 80,10 80))'],
    ['closed along it', 'POLYGON((0 80,90 80,180 80,180 90,-180 90,-180 80,-90 80,0 80))'],
    ['as a box', CAP],
  ])('in degrees, %s, is the cap', async (_, wkt) => {
    const shape = await located(wkt, 'EPSG:4326');
    expect(shape).toMatchObject({ is_valid: true, placed: true, west: -180, east: 180 });
    expectArea(shape, await degreesArea(CAP));
    expect(fault(shape, 'encloses_pole')).toMatchObject({ severity: 'note', at: null });
    expect(codes(shape).filter((code) => code === 'encloses_pole')).toHaveLength(1);
    expect(shape.lat).toBeGreaterThan(80);
    expect(shape.highest).toBeLessThan(20_037_508.35);
  });

  const SQUARE = 'POLYGON((-1e6 -1e6,1e6 -1e6,1e6 1e6,-1e6 1e6,-1e6 -1e6))';
  test.each([
    [3031, -90],
    [3413, 90],
    [3976, -90],
  ])('in EPSG:%i is its square, the pole inside', async (srid, pole) => {
    const shape = await located(SQUARE, `EPSG:${srid}`);
    expect(shape).toMatchObject({ is_valid: true, placed: true, west: -180, east: 180 });
    expectArea(shape, await planeArea(SQUARE, srid, [0, pole]));
    expect(fault(shape, 'encloses_pole')).toMatchObject({ severity: 'note', at: [0, 0] });
    expect(shape.highest).toBeLessThan(20_037_508.35);
    expect(shape.highest).toBeGreaterThan(20_037_000);
  });

  test('that winds before it goes round keeps its area, wherever it begins', async () => {
    const ring = [
      '-624215 689314',
      '-264160 504351',
      '-473939 106152',
      '-1771 -79110',
      '540592 154901',
      '416952 343374',
      '854847 337009',
    ];
    const km2 = await planeArea(`POLYGON((${[...ring, ring[0]].join()}))`, 3031, [0, -90]);
    for (const from of ring.keys()) {
      const turned = [...ring.slice(from), ...ring.slice(0, from)];
      const shape = await located(`POLYGON((${[...turned, turned[0]].join()}))`, 'EPSG:3031');
      expectArea(shape, km2);
      expect(codes(shape)).toContain('encloses_pole');
    }
  });

  test('with a hole round it encloses no pole and keeps the hole', async () => {
    const wkt = `${SQUARE.slice(0, -1)},(-5e5 -5e5,-5e5 5e5,5e5 5e5,5e5 -5e5,-5e5 -5e5))`;
    const shape = await located(wkt, 'EPSG:3031');
    expectArea(shape, await planeArea(wkt, 3031, [0, -90]));
    expect(codes(shape)).not.toContain('encloses_pole');
  });

  test('inside the hole that is called its own is what lies between the two', async () => {
    const shape = await located('POLYGON((0 -89,120 -89,-120 -89,0 -89),(0 -70,120 -70,-120 -70,0 -70))', 'EPSG:4326');
    expect(shape).toMatchObject({ placed: true, is_valid: true });
    expectArea(shape, await degreesArea('POLYGON((-180 -89,180 -89,180 -70,-180 -70,-180 -89))'));
  });

  test('with a hole beside it keeps both', async () => {
    const wkt = `${SQUARE.slice(0, -1)},(-1e5 -5e5,1e5 -5e5,1e5 -1e5,-1e5 -1e5,-1e5 -5e5))`;
    const shape = await located(wkt, 'EPSG:3031');
    expectArea(shape, await planeArea(wkt, 3031, [0, -90]));
    expect(codes(shape)).toContain('encloses_pole');
  });
});

test('a large shape of a projection bends in degrees as its straight edges do', async () => {
  const wkt = 'POLYGON((1619711 1047153,216242 877565,-10300 290264,1619711 1047153))';
  const shape = await located(wkt, 'EPSG:3031');
  expectArea(shape, await planeArea(wkt, 3031, [0, -90]));
});

describe('a shape that reaches a pole', () => {
  test.each([
    ['with a vertex at it', 'POLYGON((0 0,1e6 0,1e6 1e6,0 0))'],
    ['begun elsewhere', 'POLYGON((1e6 0,1e6 1e6,0 0,1e6 0))'],
    ['with three quarters of the way round it', 'POLYGON((0 0,1e6 0,1e6 1e6,-1e6 1e6,-1e6 -1e6,0 -1e6,0 0))'],
    ['with an edge through it', 'POLYGON((-1e6 0,1e6 0,1e6 1e6,-1e6 1e6,-1e6 0))'],
  ])('%s is drawn up to it', async (_, wkt) => {
    const shape = await located(wkt, 'EPSG:3031');
    expect(shape).toMatchObject({ is_valid: true, placed: true });
    expectArea(shape, await planeArea(wkt, 3031, [0, -90]));
    expect(codes(shape)).not.toContain('encloses_pole');
    if (wkt.includes('0 0,')) expect(fault(shape, 'touches_pole')).toMatchObject({ severity: 'note', at: [0, 0] });
  });

  test.each([
    ['EPSG:3031', 'POINT(0 0)', -90],
    ['EPSG:3413', 'POINT(0 0)', 90],
    ['EPSG:4326', 'POINT(10 90)', 90],
    ['EPSG:4326', 'POINT(10 -90)', -90],
  ])('as a point, in %s, lies at the edge of the map and says so', async (src_crs, wkt, lat) => {
    const shape = await located(wkt, src_crs);
    expect(shape).toMatchObject({ placed: true, unmappable_reason: null, highest: null });
    expect(shape.footprint).toMatch(new RegExp(`^POINT\\(\\S+ ${lat}\\)$`));
    expect(codes(shape)).toEqual(['touches_pole']);
    expect(shape.lat).toBeCloseTo(Math.sign(lat) * 85.0511, 3);
  });

  test('in degrees stays as it is, and its outline ends where the map does', async () => {
    const shape = await located('POLYGON((-10 80,10 80,0 90,-10 80))', 'EPSG:4326');
    expect(shape.footprint).toBe('POLYGON((-10 80,10 80,0 90,-10 80))');
    expect(fault(shape, 'touches_pole')?.at).toEqual([0, 90]);
    expect(shape.highest).toBeLessThan(20_037_508.35);
  });
});

describe('what cannot be placed says why', () => {
  test.each([
    ['POINT(10.5 95.5)', 'EPSG:4326', 'outside_projection', /latitude 95\.5/],
    ['POLYGON((10 10,10 95,20 95,20 10,10 10))', 'EPSG:4326', 'outside_projection', /latitude 10.* to 95/],
    ['POINT(600.5 10.25)', 'EPSG:4326', 'outside_projection', /longitude 600\.5/],
    ['POLYGON((331 31,495 35,158 24,670 9,331 31))', '', 'not_geographic', /^null$/],
    ['POINT(1 1)', 'EPSG:27', 'unknown_crs', /EPSG:27/],
  ])('%s in %s', async (wkt, src_crs, reason, words) => {
    const shape = await located(wkt, src_crs);
    expect(shape).toMatchObject({ unmappable_reason: reason, placed: false, footprint: null });
    expect(String(shape.reproject_error)).toMatch(words);
  });
});
