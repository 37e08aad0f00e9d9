import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '@/lib/contract/filter';
import { FAILURE_CLASSES, ROLES, type Role } from '@/lib/dead-letter/vocabulary';
import { MAX_TILE_ZOOM, readTileAddress, tile } from '@/lib/triage/tile';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { type MvtLayer, readMvt } from '@/test/support/read-mvt';
import { blankRow, insertRows, type Row } from './rows';

let database: TestDatabase;
const HOSTILE = 'a class of "theirs"; 🗺';

/** Ohio, a cluster; one beside 180°; one at each pole's edge; a secret one; one without a place. */
const rows: Row[] = [
  ...Array.from({ length: 30 }, (_, i) => ({
    ...blankRow(i + 1),
    failure_class: [...FAILURE_CLASSES, HOSTILE][i % 6] ?? '',
    reopen_count: i % 5 === 0 ? 2 : 0,
    at: [-83 + i * 0.001, 40 + i * 0.001] as [number, number],
  })),
  { ...blankRow(31), at: [179.9999, 0] },
  { ...blankRow(32), at: [-180, 89.9] },
  { ...blankRow(33), at: [0, -90] },
  { ...blankRow(34), at: [-83, 40], sensitive: true },
  { ...blankRow(35), at: null, unmappable_reason: 'no_crs' },
  { ...blankRow(36), at: [-83, 40], state: 'resolved' },
];

beforeAll(async () => {
  database = await cloneDatabase();
  await insertRows(database.pool, rows);
});
afterAll(() => database?.drop());

async function layers(
  z: number,
  x: number,
  y: number,
  role: Role = 'operator',
  filter: Filter = {},
): Promise<Record<string, MvtLayer>> {
  const { mvt } = await tile({ db: database.db, actor: { name: 'someone', role } }, { z, x, y, filter, known: [] });
  return readMvt(mvt ?? Buffer.alloc(0));
}

function addressOf(lon: number, lat: number, z: number): [number, number, number] {
  const n = 2 ** z;
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return [z, Math.floor(((lon + 180) / 360) * n), Math.floor(y * n)];
}

const draw = (entry_id: number, wkt: string) =>
  database.pool.query(
    'update dlq.diagnosis set outline = ST_Transform(ST_GeomFromText($2::text, 4326), 3857) where entry_id = $1::bigint',
    [entry_id, wkt],
  );

describe('a tile', () => {
  test('counts every placed entry once, over all tiles of a zoom', async () => {
    for (const z of [0, 1, 3]) {
      let total = 0;
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++)
          for (const { properties } of (await layers(z, x, y)).cells?.features ?? []) total += Number(properties.total);
      expect(total).toBe(34);
    }
  });

  test('says per cell the count of each class that is there, what came back, and which cell it is', async () => {
    const [z, x, y] = addressOf(-83, 40, 4);
    const { cells } = await layers(z, x, y);
    expect(cells?.extent).toBe(4096);
    expect(cells?.features).toHaveLength(1);
    const [feature] = cells?.features ?? [];
    const [, gx, gy] = addressOf(-83, 40, 9);
    expect(feature?.properties).toEqual({
      total: 31,
      invalid_geometry: 5,
      crs_mismatch: 5,
      upstream_timeout: 5,
      oom: 5,
      unknown: 6,
      other: 5,
      reopened: 6,
      cell: `9/${gx}/${gy}`,
    });
    expect(feature?.vertices).toEqual([[(gx - x * 32 + 0.5) * 128, (gy - y * 32 + 0.5) * 128]]);
  });

  test('leaves classes out that a cell does not have', async () => {
    const { cells } = await layers(0, 0, 0, 'operator', { failure_class: ['oom'] });
    expect(cells?.features.map(({ properties }) => Object.keys(properties).sort())).toEqual([
      ['cell', 'oom', 'reopened', 'total'],
    ]);
  });

  test('shows entries as points from zoom 12 on, where they are to a unit of the tile', async () => {
    const [z, x, y] = addressOf(-83, 40, 12);
    const { points, cells } = await layers(z, x, y);
    expect(cells).toBeUndefined();
    expect(points?.features).toHaveLength(31);
    const first = points?.features.find(({ id }) => id === 1);
    expect(first?.properties).toEqual({ failure_class: 'invalid_geometry', reopened: 1, state: 'open' });
    const wanted = [
      ((-83 + 180) / 360) * 2 ** 12,
      ((1 - Math.asinh(Math.tan((40 * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 12,
    ];
    const [at] = first?.vertices ?? [];
    expect(at?.[0]).toBeCloseTo(((wanted[0] ?? 0) - x) * 4096, -0.5);
    expect(at?.[1]).toBeCloseTo(((wanted[1] ?? 0) - y) * 4096, -0.5);
  });

  test('keeps points inside the tile at every zoom', async () => {
    for (let z = 12; z <= MAX_TILE_ZOOM; z++) {
      const { points } = await layers(...addressOf(179.9999, 0.000001, z));
      const below = await layers(...addressOf(179.9999, -0.000001, z));
      const features = [...(points?.features ?? []), ...(below.points?.features ?? [])];
      expect(features.map(({ id }) => id)).toEqual([31]);
      for (const [px, py] of features[0]?.vertices ?? []) {
        expect(px).toBeGreaterThanOrEqual(0);
        expect(px).toBeLessThan(4096);
        expect(py).toBeGreaterThanOrEqual(0);
        expect(py).toBeLessThan(4096);
        // a cell is 256 units of a tile at zoom 22: the point lies in its middle
        if (z === MAX_TILE_ZOOM) expect([px % 256, py % 256]).toEqual([128, 128]);
      }
    }
  });

  test('shows a viewer nothing of a sensitive entry', async () => {
    const count = async (role: Role) =>
      (await layers(0, 0, 0, role)).cells?.features.reduce((sum, { properties }) => sum + Number(properties.total), 0);
    expect(await count('viewer')).toBe(33);
    expect(await count('operator')).toBe(34);
    await draw(34, 'POLYGON((-83 40, -82.999 40, -82.999 40.001, -83 40))');
    const at = addressOf(-82.9999, 40.0001, 13);
    expect((await layers(...at, 'operator')).outlines?.features.map(({ id }) => id)).toContain(34);
    const seen = await layers(...at, 'viewer');
    expect(seen.outlines?.features.map(({ id }) => id) ?? []).not.toContain(34);
    expect(seen.points?.features.map(({ id }) => id) ?? []).not.toContain(34);
  });

  test('keeps the good outlines when others cannot be drawn', async () => {
    await draw(1, 'POLYGON((-83.001 40.001, -82.999 40.001, -82.999 40.003, -83.001 40.001))');
    await draw(2, 'POLYGON((-83.001 40.001, -82.999 40.003, -82.999 40.001, -83.001 40.003, -83.001 40.001))');
    await draw(3, 'POLYGON((-83.001 40.001, -82.999 40.003, -83.000 40.002, -83.001 40.001))');
    await database.pool.query(
      `update dlq.diagnosis d set outline = case d.entry_id
          when 4 then ST_SetSRID(ST_MakeLine(array[ST_StartPoint(l), ST_SetSRID(ST_MakePoint('NaN', 1), 3857), ST_EndPoint(l)]), 3857)
          when 5 then ST_SetSRID(ST_MakeLine(array[ST_StartPoint(l), ST_SetSRID(ST_MakePoint('Infinity', 1), 3857), ST_EndPoint(l)]), 3857)
          when 6 then ST_SetSRID(ST_Point('NaN', 'NaN'), 3857)
          when 7 then 'SRID=3857;POLYGON EMPTY'::geometry
          when 8 then ST_SetSRID('010300000001000000030000000000000000000000000000000000F87F000000000000000000000000000000000000000000000840000000000000F03F'::geometry, 3857)
          end
        from (select ST_ExteriorRing(outline) as l from dlq.diagnosis where entry_id = 1) one
        where d.entry_id between 4 and 8`,
    );
    const { outlines } = await layers(...addressOf(-83, 40.002, 13));
    const drawn = new Map(outlines?.features.map(({ id, type }) => [id, type]));
    expect(drawn.get(1)).toBe('polygon');
    expect(drawn.get(2)).toBe('polygon');
    expect(drawn.get(3), 'a polygon without area leaves its rings').toBe('line');
    expect([4, 5, 6, 7, 8].filter((id) => drawn.has(id))).toEqual([]);
    for (const { vertices } of outlines?.features ?? [])
      for (const value of vertices.flat()) {
        expect(value).toBeGreaterThanOrEqual(-64);
        expect(value).toBeLessThanOrEqual(4160);
      }
  });

  test('has no outlines where more than 500 match, and the points all the same', async () => {
    const many = Array.from({ length: 501 }, (_, i) => ({
      ...blankRow(1000 + i),
      at: [100, 10] as [number, number],
      queue: 'many',
    }));
    await insertRows(database.pool, many);
    await database.pool.query(
      `update dlq.diagnosis set outline = ST_Transform(ST_MakeEnvelope(99.999, 9.999, 100.001, 10.001, 4326), 3857) where entry_id >= 1000`,
    );
    const at = addressOf(100, 10, 13);
    const all = await layers(...at, 'operator', { queue: ['many'] });
    expect(all.outlines).toBeUndefined();
    expect(all.points?.features).toHaveLength(501);
    const fewer = await layers(...at, 'operator', { queue: ['many'], ids: many.slice(1).map(({ id }) => id) });
    expect(fewer.outlines?.features).toHaveLength(500);
  });

  test('carries any filter', async () => {
    expect((await layers(0, 0, 0, 'operator', { work_key: 'key-31' })).cells?.features).toHaveLength(1);
    expect(
      (await layers(0, 0, 0, 'operator', { bbox: [170, -10, -170, 10] })).cells?.features.map(
        ({ properties }) => properties.total,
      ),
    ).toEqual([1]);
    expect(
      (await layers(...addressOf(-83, 40, 13), 'operator', { failure_class: [HOSTILE] })).points?.features.length,
    ).toBeGreaterThan(0);
    expect(await layers(0, 0, 0, 'operator', { failure_class: ['absent'] })).toEqual({});
  });
});

describe('the tag of a tile', () => {
  const ask = (role: Role, filter: Filter, known: string[] = []) =>
    tile({ db: database.db, actor: { name: 'someone', role } }, { z: 0, x: 0, y: 0, filter, known });

  test('stays while nothing changes, and the tile is not sent again', async () => {
    const { etag } = await ask('viewer', {});
    expect(await ask('viewer', {}, ['"other"', etag])).toEqual({ etag, mvt: null });
  });

  test('differs by role and by filter', async () => {
    const tags = [
      ...(await Promise.all(ROLES.map((role) => ask(role, {})))),
      await ask('viewer', { reopened: true }),
      await ask('viewer', { ids: [] }),
    ];
    expect(new Set(tags.map(({ etag }) => etag)).size).toBe(tags.length);
  });

  test('changes with a change, also one whose revision was drawn before a later one was seen', async () => {
    const early = await database.pool.connect();
    try {
      await early.query('begin');
      await early.query('update dlq.state set max_redrives = 4 where entry_id = 1');
      await database.pool.query('update dlq.state set max_redrives = 4 where entry_id = 2');
      const before = await ask('viewer', {});
      await early.query('commit');
      const after = await ask('viewer', {}, [before.etag]);
      expect(after.etag).not.toBe(before.etag);
      expect(after.mvt).not.toBeNull();
    } finally {
      early.release();
    }
  });

  test('does not come again after the feed was pruned', async () => {
    await database.pool.query('delete from dlq.change');
    const { etag } = await ask('viewer', {});
    await database.pool.query('update dlq.state set max_redrives = 5 where entry_id = 2');
    await database.pool.query('delete from dlq.change');
    expect((await ask('viewer', {}, [etag])).mvt).not.toBeNull();
  });
});

describe('the address of a tile', () => {
  test('is refused outside the world, and as anything but whole numbers', () => {
    for (const [z, x, y] of [
      ['-1', '0', '0'],
      ['23', '0', '0'],
      ['1', '2', '0'],
      ['1', '0', '2'],
      ['1.5', '0', '0'],
      ['1', '0x1', '0'],
      ['1', '0', '0.mvt'],
      ['1', '', '0'],
      ["1'", '0', '0'],
      ['99999999999', '0', '0'],
    ])
      expect(() => readTileAddress({ z, x, y }), `${z}/${x}/${y}`).toThrow(/a tile is z\/x\/y|go from 0 to/);
    expect(readTileAddress({ z: '22', x: '4194303', y: '0' })).toEqual({ z: 22, x: 4194303, y: 0 });
  });
});
