import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outlinesTile } from '@/db/queries/outlines-tile';
import { filterFromSearch } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

/** The same numbers each time: 0 ≤ number < 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Vertices at random in a box: their edges cross about n²/6 times. */
function scribble(count: number, [west, south, east, north]: [number, number, number, number]): string[] {
  const next = numbers(count);
  const vertices = Array.from(
    { length: count },
    () => `${west + next() * (east - west)} ${south + next() * (north - south)}`,
  );
  return [...vertices, vertices[0] as string];
}

const polygon = (vertices: string[]) => `POLYGON((${vertices.join(',')}))`;
const line = (vertices: string[]) => `LINESTRING(${vertices.join(',')})`;

/** Of a database that is busy with other tests; unbounded, each of these takes from half a minute to hours. */
const LIMIT_MS = 20_000;

async function diagnosed(geom_wkt: string, src_crs: string) {
  const work_key = `unit-${src_crs}-${geom_wkt.length}`;
  await captureOne(
    { db: database.db },
    { text: JSON.stringify({ work_key, task_name: 't', geom_wkt, src_crs }), via: 'http' },
  );
  const started = performance.now();
  while ((await diagnoseBatch(database.db)) > 0);
  const { rows } = await database.pool.query<{ reason: string | null; west: number; east: number; outline: boolean }>(
    `select d.unmappable_reason as reason, ST_XMin(d.footprint) as west, ST_XMax(d.footprint) as east, d.outline is not null as outline
     from dlq.entry e join dlq.diagnosis d on d.entry_id = e.id where e.work_key = $1`,
    [work_key],
  );
  return { ...rows[0], ms: performance.now() - started };
}

describe('a shape that crosses itself some hundred thousand times', () => {
  test.each([
    ['a polygon over 180°', polygon(scribble(1000, [170, 0, 190, 50])), 'EPSG:4326'],
    ['a line over 180°', line(scribble(1000, [170, 0, 190, 50])), 'EPSG:4326'],
    ['a polygon as wide as the world', polygon(scribble(1000, [-180, 0, 180, 50])), 'EPSG:4326'],
    ['a polygon over the whole world', polygon(scribble(1500, [-180, -90, 180, 90])), 'EPSG:4326'],
    ['a polygon round a pole', polygon(scribble(1000, [-2e6, -2e6, 2e6, 2e6])), 'EPSG:3031'],
    [
      'a polygon round a pole with such a hole',
      `POLYGON((${scribble(900, [-3e6, -3e6, 3e6, 3e6])}),(${scribble(800, [-2e6, -2e6, 2e6, 2e6])}))`,
      'EPSG:3031',
    ],
  ])('%s has its place on the map, within ±180°', { timeout: 90_000 }, async (_, wkt, crs) => {
    const { ms, ...found } = await diagnosed(wkt, crs);
    expect(found).toMatchObject({ reason: null, outline: true });
    expect(found.west).toBeGreaterThanOrEqual(-180);
    expect(found.east).toBeLessThanOrEqual(180);
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  test('is drawn on every tile it touches, as its rings', { timeout: 90_000 }, async () => {
    expect(await diagnosed(polygon(scribble(3000, [0, 0, 50, 50])), 'EPSG:4326')).toMatchObject({ reason: null });
    const started = performance.now();
    for (const tile of [
      { z: 0, x: 0, y: 0 },
      { z: 2, x: 2, y: 1 },
      { z: 5, x: 18, y: 13 },
    ])
      expect(
        (await outlinesTile(database.db, tile, filterFromSearch(new URLSearchParams()), 'operator' as Role)).byteLength,
      ).toBeGreaterThan(1000);
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
  });
});

interface Drawn {
  kind: string;
}
const drawn = async (wkt: string, few: boolean) =>
  (
    await database.pool.query<Drawn>(
      'select GeometryType(dlq.mvt_geometry(ST_Transform(ST_GeomFromText($1, 4326), 3857), ST_TileEnvelope(0, 0, 0), $2)) as kind',
      [wkt, few],
    )
  ).rows[0]?.kind;

describe('on a tile', () => {
  /** A regular outline of 200 vertices; `first` and `second` of them change places. */
  const circle = (exchanged: boolean) => {
    const vertices = Array.from(
      { length: 200 },
      (_, i) => `${50 * Math.cos((i * Math.PI) / 100)} ${50 * Math.sin((i * Math.PI) / 100)}`,
    );
    if (exchanged) [vertices[3], vertices[40]] = [vertices[40] as string, vertices[3] as string];
    return polygon([...vertices, vertices[0] as string]);
  };

  test('a sound polygon is filled, and one that crosses itself a few times', async () => {
    expect(await drawn(circle(false), false)).toMatch(/POLYGON/);
    expect(await drawn('POLYGON((0 0,50 50,50 0,0 40,0 0))', false)).toMatch(/POLYGON/);
    expect(await drawn(circle(true), true)).toMatch(/POLYGON/);
  });

  test('a longer one whose crossings nobody has counted leaves its rings', async () => {
    expect(await drawn(circle(true), false)).toMatch(/LINESTRING/);
  });

  test('faults tell of few crossings only where all are listed and none of the shape was cut', async () => {
    const few = async (faults: string[], ruleset = 1) =>
      (
        await database.pool.query('select dlq.few_crossings($1::jsonb, $2::smallint) as few', [
          JSON.stringify(faults.map((code) => ({ code }))),
          ruleset,
        ])
      ).rows[0].few;
    expect(await few(['self_intersection'])).toBe(true);
    expect(await few(['self_intersection'], 0)).toBe(false);
    expect(await few(Array(21).fill('self_intersection'))).toBe(false);
    for (const code of ['capped', 'crosses_antimeridian', 'encloses_pole', 'touches_pole'])
      expect(await few(['self_intersection', code])).toBe(false);
  });
});

test('the ghost of a zigzag that no simplification ends is its extent', { timeout: 60_000 }, async () => {
  const started = performance.now();
  const { rows } = await database.pool.query(
    `select g.shown, g.error from (select ST_MakeLine(ST_MakePoint(50 * i / 300000.0, 20 * (1 - i % 2 * 2) * (1 - i / 600000.0)) order by i) as l
      from generate_series(0, 300000) i) z, dlq.ghost(z.l, 4326, null, false, 1, 1, 50000) g`,
  );
  expect(rows[0]).toEqual({ shown: 'outline', error: null });
  expect(performance.now() - started).toBeLessThan(LIMIT_MS);
});

test('of very many arcs each is drawn by fewer edges, and GEOS has no opinion', { timeout: 60_000 }, async () => {
  const { rows } = await database.pool.query(
    `select ST_NPoints(dlq.drawable(a.g)) as points, v.valid, v.reason
     from (select ('CIRCULARSTRING(0 0' || string_agg(',0 1,0 0', '') || ')')::geometry as g from generate_series(1, 50000)) a, dlq.validity(a.g) v`,
  );
  expect(rows[0]).toMatchObject({ valid: null, reason: expect.stringContaining('arcs') });
  expect(rows[0].points).toBeLessThan(3_000_000);
});

test('the last time it is tried, PostGIS is not asked whether it is valid', async () => {
  await captureOne(
    { db: database.db },
    {
      text: JSON.stringify({
        work_key: 'tried-twice',
        task_name: 't',
        geom_wkt: 'POLYGON((0 0,1 1,1 0,0 1,0 0))',
        src_crs: 'EPSG:4326',
      }),
      via: 'http',
    },
  );
  await database.pool.query(
    `update dlq.diagnosis d set tries = 2 from dlq.entry e where e.id = d.entry_id and e.work_key = 'tried-twice'`,
  );
  while ((await diagnoseBatch(database.db)) > 0);
  const { rows } = await database.pool.query(
    `select d.valid, d.unmappable_reason, d.footprint is not null as placed, jsonb_path_query_array(d.faults, '$[*].code') as codes
     from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id where e.work_key = 'tried-twice'`,
  );
  expect(rows[0]).toEqual({
    valid: null,
    unmappable_reason: null,
    placed: true,
    codes: expect.arrayContaining(['self_intersection', 'capped']),
  });
});
