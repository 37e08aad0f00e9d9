import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Evidence, evidenceSchema, ghostSchema } from '@/lib/contract/entry';
import { makeCursorTransform } from '@/lib/crs/cursor-link';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { borderOf } from '@/lib/triage/area-of-use-source';
import { getEvidence } from '@/lib/triage/get-evidence';
import { getGhost } from '@/lib/triage/get-ghost';
import { MASKED } from '@/lib/triage/mask';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const ctx = (role: Role = 'operator') => ({ db: database.db, actor: { name: 'someone', role } });
const ask = async (id: string, role: Role = 'operator'): Promise<Evidence> =>
  evidenceSchema.parse(await getEvidence(ctx(role), { id }));

async function capture(work_key: string, ewkt: string, rest: Record<string, unknown> = {}): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select (dlq.capture($1::jsonb, ST_AsEWKB($2::geometry))).entry_id::text as id`,
    [{ work_key, task_name: 'reproject', failure_class: 'crs_mismatch', ...rest }, ewkt],
  );
  return rows[0]?.id ?? '';
}

/** A square of 200 units in the middle of London, or of Ohio's plane. */
const square = (x: number, y: number, side = 200) =>
  `POLYGON((${x} ${y},${x + side} ${y},${x + side} ${y + side},${x} ${y + side},${x} ${y}))`;

describe('what the evidence says of the claim', () => {
  test('is what the registry says, in every form of claiming it', async () => {
    for (const src_crs of ['EPSG:27700', '27700', 'urn:ogc:def:crs:EPSG::27700', 'OSGB36 / British National Grid']) {
      const { claim, area_of_use } = await ask(await capture(src_crs, square(530000, 180000), { src_crs }));
      expect(claim, src_crs).toMatchObject({
        id: 'EPSG:27700',
        kind: 'projected',
        deprecated: false,
        axis_order: 'east_north',
      });
      expect(area_of_use?.[0]).toBeLessThan(-7);
    }
    const by_number = await ask(await capture('number only', `SRID=27700;${square(530000, 180000)}`));
    expect(by_number.claim?.id).toBe('EPSG:27700');
  });

  test('is nothing where the registry knows none, and never an error', async () => {
    for (const src_crs of [
      null,
      'none',
      'my own grid',
      'EPSG:999999',
      'LOCAL_CS["x"]',
      '+proj=nonsense',
      '{"a":',
      'EPSG:5701',
      "'; --",
    ]) {
      const evidence = await ask(await capture(`odd ${src_crs}`, square(1, 1), { src_crs }));
      expect(evidence.cursor_link, String(src_crs)).toBeNull();
      expect(evidence.cursor_link_reason).toMatch(/\w/);
    }
  });

  test('has the outline of its area of use where the database puts it, without the points that have no place', async () => {
    const { area_of_use, area_of_use_source } = await ask(
      await capture('outline', square(530000, 180000), { src_crs: 'EPSG:27700' }),
    );
    expect(area_of_use_source).toHaveLength(32);
    const { rows } = await database.pool.query<{ x: number; y: number }>(
      'select ST_X(g) as x, ST_Y(g) as y from (select ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 27700) as g) t',
      [area_of_use?.[0], area_of_use?.[1]],
    );
    expect(area_of_use_source?.[0]).toEqual([rows[0]?.x, rows[0]?.y]);
    // the poles of web mercator have no place: only the sides are left
    const mercator = await ask(await capture('mercator', square(0, 0), { src_crs: 'EPSG:3395' }));
    for (const point of mercator.area_of_use_source ?? []) expect(point.every(Number.isFinite)).toBe(true);
    const degrees = await ask(await capture('degrees', square(1, 1, 1), { src_crs: 'EPSG:4326' }));
    expect(degrees.area_of_use_source?.[0]).toEqual([-180, -90]);
  });

  test('goes round the border once, over 180° too', () => {
    const border = borderOf([170, -10, -170, 10]);
    expect(border).toHaveLength(64);
    expect(border.slice(0, 2)).toEqual([170, -10]);
    expect(border.slice(8, 10)).toEqual([180, -10]);
    expect(border.slice(16, 18)).toEqual([-170, -10]);
    expect(border.slice(32, 34)).toEqual([-170, 10]);
    expect(border.slice(48, 50)).toEqual([170, 10]);
    for (const lon of border.filter((_, i) => i % 2 === 0)) expect(Math.abs(lon)).toBeLessThanOrEqual(180);
  });
});

describe('the cursors of the panes', () => {
  test.each([
    ['EPSG:27700', 530000, 180000],
    ['EPSG:3734', 2_200_000, 660_000],
    ['EPSG:32631', 500_000, 5_700_000],
    ['EPSG:3857', 1_000_000, 6_000_000],
    ['EPSG:4326', 10, 50],
    ['EPSG:3035', 4_300_000, 3_200_000],
  ])('are linked for %s, where proj4 is where the database is', async (src_crs, x, y) => {
    const { cursor_link, cursor_link_reason } = await ask(
      await capture(`link ${src_crs}`, square(x, y, src_crs === 'EPSG:4326' ? 1 : 200), { src_crs }),
    );
    expect(cursor_link_reason).toBeNull();
    expect(cursor_link?.checked).toBe(5);
    expect(cursor_link?.max_error_m).toBeLessThan(2);
    const transform = await makeCursorTransform(cursor_link?.proj ?? '');
    const { rows } = await database.pool.query<{ lon: number; lat: number }>(
      'select ST_X(g) as lon, ST_Y(g) as lat from (select ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), $3), 4326) as g) t',
      [x, y, Number(src_crs.slice(5))],
    );
    const [lon, lat] = transform.toLonLat([x, y]) ?? [0, 0];
    expect(lon).toBeCloseTo(rows[0]?.lon ?? 99, 4);
    expect(lat).toBeCloseTo(rows[0]?.lat ?? 99, 4);
  });

  test('are not linked where proj4 is elsewhere, and the reason says how far', async () => {
    // x,y of Krovak grow south and west: proj4 has the other sign
    const { cursor_link, cursor_link_reason } = await ask(
      await capture('krovak', square(-740_000, -1_040_000), { src_crs: 'EPSG:2065' }),
    );
    expect(cursor_link).toBeNull();
    expect(cursor_link_reason).toMatch(
      /^proj4 (is up to .* from the database’s PROJ here|cannot follow the claimed CRS here)$/,
    );
  });

  test('are not linked where nothing can be compared', async () => {
    const reason = async (key: string, ewkt: string, src_crs: string) =>
      (await ask(await capture(key, ewkt, { src_crs }))).cursor_link_reason;
    expect(await reason('empty', 'POLYGON EMPTY', 'EPSG:27700')).toBe('the geometry has no finite vertex');
    expect(await reason('nan', 'POINT(NaN NaN)', 'EPSG:27700')).toBe('the geometry has no finite vertex');
    expect(await reason('nowhere', 'POINT(5000 5000)', 'EPSG:4326')).toMatch(/places none of its vertices/);
    const raster = await ask(await capture('raster', 'POINT EMPTY', { src_crs: 'EPSG:27700' }));
    expect(raster.cursor_link).toBeNull();
  });
});

describe('a ghost', () => {
  const ghost = async (
    id: string,
    crs: string,
    read: Partial<{ swapped: boolean; x_sign: 1 | -1; y_sign: 1 | -1 }> = {},
    role: Role = 'operator',
  ) => ghostSchema.parse(await getGhost(ctx(role), { id, crs, swapped: false, x_sign: 1, y_sign: 1, ...read }));
  const textOf = async (wkb: string | null) =>
    (await database.pool.query<{ text: string }>('select ST_AsText($1::geometry, 3) as text', [wkb])).rows[0]?.text;

  test('is the geometry as if it were in the other CRS, its axes exchanged and signed', async () => {
    const id = await capture('ghost', 'LINESTRING(50 10, 51 11)', { src_crs: 'EPSG:27700' });
    expect(await textOf((await ghost(id, 'EPSG:4326')).reprojected_wkb)).toBe('LINESTRING(50 10,51 11)');
    const turned = await ghost(id, 'epsg:4326', { swapped: true, x_sign: -1 });
    expect(turned).toMatchObject({ crs: 'EPSG:4326', shown: 'whole', error: null });
    expect(await textOf(turned.reprojected_wkb)).toBe('LINESTRING(-10 50,-11 51)');
    const feet = await capture('feet', square(2_200_000, 660_000), { src_crs: 'EPSG:32122' });
    expect(await textOf((await ghost(feet, 'EPSG:3734')).reprojected_wkb)).toMatch(/^POLYGON\(\(-81\.\d+ 41\./);
  });

  test('of many vertices is a simpler shape, and says so', async () => {
    const circle = await capture('circle', `SRID=0;${await textWithin(25_000)}`, { src_crs: 'EPSG:27700' });
    const simple = await ghost(circle, 'EPSG:27700');
    expect(simple).toMatchObject({ shown: 'simplified', error: null });
    const { rows } = await database.pool.query<{ n: number }>('select ST_NPoints($1::geometry) as n', [
      simple.reprojected_wkb,
    ]);
    expect(rows[0]?.n).toBeLessThan(1000);
    const points = await capture(
      'points',
      `MULTIPOINT(${Array.from({ length: 20_001 }, (_, i) => `${i} ${(i * 7919) % 20_011}`).join(',')})`,
    );
    expect((await ghost(points, 'EPSG:27700')).shown).toBe('outline');
  });

  test('that cannot be drawn says why, whatever CRS was asked for', async () => {
    const id = await capture('far', 'POINT(1e300 1e300)');
    expect(await ghost(id, 'EPSG:27700')).toMatchObject({
      shown: null,
      reprojected_wkb: null,
      error: expect.any(String),
    });
    expect((await ghost(id, 'EPSG:4326')).error).toBe('it would lie outside the world');
    expect((await ghost(id, 'EPSG:5701')).error).toMatch(/^EPSG:5701 is vertical/);
    expect((await ghost(id, 'EPSG:4978')).error).toMatch(/geocentric/);
    expect((await ghost(await capture('nan ghost', 'LINESTRING(NaN 1, 2 3)'), 'EPSG:4326')).error).toMatch(
      /not a finite number/,
    );
    expect((await ghost(await capture('empty ghost', 'POINT EMPTY'), 'EPSG:4326')).error).toMatch(/no geometry/);
    for (const crs of ['EPSG:999999', 'nonsense', "'; --", 'EPSG:', '__proto__', 'x'.repeat(5000)])
      await expect(ghost(id, crs), crs.slice(0, 20)).rejects.toMatchObject({ code: 'bad_request' });
    await expect(ghost('99999', 'EPSG:4326')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a sensitive entry is none for a viewer', async () => {
    const id = await capture('secret ghost', 'POINT(10 50)', { sensitive: true });
    expect((await ghost(id, 'EPSG:4326', {}, 'operator')).reprojected_wkb).not.toBeNull();
    expect(await ghost(id, 'EPSG:4326', {}, 'viewer')).toMatchObject({
      shown: null,
      reprojected_wkb: null,
      error: MASKED,
    });
  });
});

async function textWithin(vertices: number): Promise<string> {
  const { rows } = await database.pool.query<{ text: string }>(
    `select ST_AsText(ST_MakePolygon(ST_AddPoint(l, ST_StartPoint(l)))) as text from (
      select ST_MakeLine(array(select ST_MakePoint(530000 + 900 * cos(i * 2 * pi() / $1), 180000 + 900 * sin(i * 2 * pi() / $1))
        from generate_series(0, $1::integer - 1) i)) as l) x`,
    [vertices],
  );
  return rows[0]?.text ?? '';
}
