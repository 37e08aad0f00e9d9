import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { REPAIR_METHODS, type Repair, type RepairMethod } from '@/lib/contract/repair';
import { captureOne } from '@/lib/ingest/capture-one';
import { previewRepair } from '@/lib/repair/preview-repair';
import { readWkb } from '@/lib/wkb/read-wkb';
import { type BlobFolder, makeBlobFolder } from '../support/blob-folder';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { ewkb, infinityIn, pointlessRing, ringsOf, unclosed } from './repair/shapes';

let database: TestDatabase;
let blobs: BlobFolder;
beforeAll(async () => {
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', 'postgres://unused@127.0.0.1/unused');
  database = await cloneDatabase();
});
afterAll(async () => {
  await database?.drop();
  blobs.remove();
});

const operator = { role: 'operator' as const };
let count = 0;

async function captured(members: Record<string, unknown>): Promise<string> {
  const text = JSON.stringify({ work_key: `shape-${++count}`, task_name: 'clip', ...members });
  return (await captureOne({ db: database.db }, { text, via: 'http' })).id;
}

async function repaired(members: Record<string, unknown>, method: RepairMethod = 'linework'): Promise<Repair> {
  const id = await captured(members);
  return previewRepair({ db: database.db, actor: operator }, { id, method });
}

/** The repair as PostGIS writes it. */
async function textOf({ geom_wkb }: Repair): Promise<string> {
  const { rows } = await database.pool.query('select ST_AsEWKT(ST_Normalize($1::geometry)) as text', [geom_wkb]);
  return rows[0].text;
}

const wkt = (geom_wkt: string) => ({ geom_wkt });

describe('what ST_MakeValid makes of a shape', () => {
  test('of a bow-tie, whose loops cancel out: two triangles, over budget since the area was none', async () => {
    const answer = await repaired({ ...wkt('POLYGON((0 0,1 1,1 0,0 1,0 0))'), src_crs: 'EPSG:4326' });
    expect(answer).toMatchObject({
      possible: true,
      why_not: null,
      was_valid: false,
      type_before: 'POLYGON',
      type_after: 'MULTIPOLYGON',
      parts_before: 1,
      parts_after: 2,
      vertices_before: 5,
      vertices_after: 8,
      area_before: 0,
      area_after: 0.5,
      area_delta_pct: null,
      area_difference: null,
      area_difference_skipped: 'what linework keeps is the even-odd fill itself',
      hausdorff: 0,
      hausdorff_m: 0,
      loss: 'over budget',
      loss_why: ['the area was 0, since the loops of its rings cancel out, and is 0.5 now'],
    });
    expect(answer.computed_by).toMatch(/^PostGIS 3\.\d+\.\d+ GEOS 3\.\d+\.\d+$/);
    expect(await textOf(answer)).toBe('MULTIPOLYGON(((0.5 0.5,1 1,1 0,0.5 0.5)),((0 0,0 1,0.5 0.5,0 0)))');
    expect(readWkb(Buffer.from(answer.reprojected_wkb ?? '', 'hex'))).toMatchObject({ srid: 4326, vertex_count: 8 });
  });

  test('of a large parcel that crosses itself in a sliver: within budget', async () => {
    const answer = await repaired(
      wkt('POLYGON((0 0,1000 0,1000 1000,500 1000,499.98 1000.02,500 1000.02,499.98 1000,0 1000,0 0))'),
    );
    expect(answer).toMatchObject({ loss: 'within budget', loss_why: [], was_valid: false });
    expect(Math.abs(answer.area_delta_pct ?? 1)).toBeLessThan(0.1);
  });

  test('of a ring that touches itself: the same points, split into shell and hole', async () => {
    const answer = await repaired(wkt('POLYGON((0 0,4 0,4 4,0 4,0 0,1 1,1 2,2 1,1 1,0 0))'));
    expect(answer).toMatchObject({ possible: true, hausdorff: 0, was_valid: false });
    expect(answer.loss).not.toBeNull();
  });

  test('of two overlapping parts: by its lines their overlap is outside, by its structure inside', async () => {
    const overlapping = wkt('MULTIPOLYGON(((0 0,2 0,2 2,0 2,0 0)),((1 1,3 1,3 3,1 3,1 1)))');
    expect(await repaired(overlapping)).toMatchObject({ area_before: 8, area_after: 6, area_delta_pct: -25 });
    expect(await repaired(overlapping, 'structure')).toMatchObject({
      area_after: 7,
      area_difference: 1,
      area_difference_of: 'even_odd_fill',
      loss: 'over budget',
      loss_why: ['the area changes by 12.5 % of the larger', expect.stringMatching(/^lines moved by/)],
    });
  });

  test('of a hole outside its shell: a polygon of its own', async () => {
    const outside = wkt('POLYGON((0 0,2 0,2 2,0 2,0 0),(5 5,6 5,6 6,5 5))');
    for (const method of REPAIR_METHODS)
      expect(await repaired(outside, method)).toMatchObject({
        parts_after: 2,
        area_before: 3.5,
        area_after: 4.5,
        loss: 'over budget',
      });
  });

  test('of a sound polygon: itself, and nothing is lost', async () => {
    const answer = await repaired(wkt('POLYGON((0 0,4 0,4 4,0 4,0 0))'));
    expect(answer).toMatchObject({ was_valid: true, loss: 'none', loss_why: [], area_difference: 0, hausdorff: 0 });
  });

  test('of a polygon without area: lines, which is a loss', async () => {
    const flat = wkt('POLYGON((0 0,1 0,2 0,0 0))');
    expect((await repaired(flat)).loss_why).toContain('of polygons only lines are left');
    expect((await repaired(flat, 'structure')).loss_why).toEqual(['nothing is left of it']);
  });

  test('of a polygon with a whisker: the whisker becomes a line, which is named', async () => {
    const answer = await repaired(wkt('POLYGON((0 0,2 0,2 2,5 5,2 2,0 2,0 0))'));
    expect(answer).toMatchObject({ type_after: 'GEOMETRYCOLLECTION', loss: 'over budget' });
    expect(answer.loss_why).toContain('some of its polygons became lines');
  });

  test('of a line that stands on one point: a point', async () => {
    const answer = await repaired(wkt('LINESTRING(1 1,1 1)'));
    expect(answer).toMatchObject({
      type_after: 'POINT',
      loss: 'over budget',
      area_difference_skipped: 'it has no area',
    });
  });

  test('of a vertex that is no number: it is left out, counted and over budget', async () => {
    const answer = await repaired({ geom_wkb: ewkb([[0, 0, 4, 0, 4, 4, Number.NaN, Number.NaN, 0, 4, 0, 0]]) });
    expect(answer).toMatchObject({
      possible: true,
      vertices_dropped: 1,
      hausdorff: null,
      hausdorff_skipped: 'a vertex is no number',
      loss: 'over budget',
    });
    expect(answer.loss_why[0]).toBe('1 vertex is dropped: no numbers');
  });

  test('of Z and M: the M values are dropped, and named', async () => {
    const answer = await repaired(wkt('POLYGON ZM((0 0 1 5,1 1 2 6,1 0 3 7,0 1 4 8,0 0 1 5))'));
    expect(answer).toMatchObject({ dims_before: 'XYZM', dims_after: 'XYZ' });
    expect(answer.loss_why).toContain('the M values are dropped');
  });

  test('of an unclosed ring: closed, since PostGIS closes it', async () => {
    const answer = await repaired({ geom_wkb: unclosed() });
    expect(answer).toMatchObject({ possible: true, type_after: 'POLYGON', vertices_after: 5 });
  });

  test('keeps the SRID of the bytes', async () => {
    const answer = await repaired({ geom_wkb: ewkb([[0, 0, 1, 1, 1, 0, 0, 1, 0, 0]], 3734) });
    expect(readWkb(Buffer.from(answer.geom_wkb ?? '', 'hex')).srid).toBe(3734);
  });
});

describe('what ST_MakeValid is not asked for', () => {
  test.each([
    ['a curve', wkt('CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))'), 'ST_MakeValid does not take a CurvePolygon'],
    ['a TIN', wkt('TIN(((0 0 0,0 0 1,0 1 0,0 0 0)))'), 'ST_MakeValid does not take a Tin'],
    ['a triangle', wkt('TRIANGLE((0 0,0 1,1 1,0 0))'), 'ST_MakeValid does not take a Triangle'],
    [
      'a surface',
      wkt('POLYHEDRALSURFACE(((0 0 0,0 0 1,0 1 1,0 1 0,0 0 0)))'),
      'ST_MakeValid does not take a PolyhedralSurface',
    ],
    [
      'a triangle among others',
      wkt('GEOMETRYCOLLECTION(POINT(1 1),TRIANGLE((0 0,0 1,1 1,0 0)))'),
      'ST_MakeValid does not take a Triangle',
    ],
    [
      'a ring without a point',
      { geom_wkb: pointlessRing() },
      'ring 0 has no point; PostGIS would answer from uninitialised memory',
    ],
    [
      'a hole without a point in the second part',
      { geom_wkb: ringsOf([[[0, 0, 1, 0, 1, 1, 0, 0]], [[2, 2, 3, 2, 3, 3, 2, 2], []]]) },
      'ring 1 of part 1 has no point; PostGIS would answer from uninitialised memory',
    ],
    [
      'infinity',
      { geom_wkb: infinityIn() },
      'a vertex is at infinity; ST_MakeValid answers nothing for such a geometry',
    ],
    ['nothing', wkt('POLYGON EMPTY'), 'it is empty: there is nothing to repair'],
    [
      'bytes that end',
      { geom_wkb: pointlessRing().slice(0, 20) },
      expect.stringMatching(/^its bytes cannot be read: /),
    ],
    ['no geometry', {}, 'it has no geometry'],
    ['a text that is none', wkt('POLYGON((0 0'), 'the text given as its geometry is not readable'],
  ])('%s is refused with the reason', async (_, members, why_not) => {
    for (const method of REPAIR_METHODS) {
      const answer = await repaired(members, method);
      expect(answer).toMatchObject({ possible: false, why_not, geom_wkb: null, loss: null });
    }
  });

  test('what would take too long is said to, and never asked for: GEOS cannot be interrupted', async () => {
    const ring = Array.from({ length: 400 }, (_, i) => [(i * 7919) % 401, (i * 104_729) % 397]).flat();
    const tangled = { geom_wkb: ewkb([[...ring, ring[0] as number, ring[1] as number]]) };
    const started = performance.now();
    expect(await repaired(tangled)).toMatchObject({
      possible: false,
      why_not: expect.stringMatching(
        /^ST_MakeValid takes longer than 8 s for it: its lines cross or touch more than 3\d{3} times$/,
      ),
    });
    expect(performance.now() - started).toBeLessThan(3000);
    const long = Array.from({ length: 300_001 }, (_, i) => [i, i % 2]).flat();
    expect(await repaired({ geom_wkb: ewkb([[...long, 0, 0]]) })).toMatchObject({
      why_not: 'ST_MakeValid takes longer than 8 s for it: it has 300002 vertices',
    });
  });

  test('a statement that runs into its limit is an answer too, and the connection serves the next one', async () => {
    const circle = Array.from({ length: 20_000 }, (_, i) => [Math.cos(i / 3183), Math.sin(i / 3183)]).flat();
    const members = { geom_wkb: ewkb([[...circle, circle[0] as number, circle[1] as number]]) };
    const answer = await previewRepair(
      { db: database.db, actor: operator },
      { id: await captured(members), method: 'linework' },
      { statement_ms: 2 },
    );
    expect(answer).toMatchObject({ possible: false, why_not: 'ST_MakeValid takes longer than 8 s for it' });
    expect(await repaired(wkt('POLYGON((0 0,4 0,4 4,0 4,0 0))'))).toMatchObject({ possible: true });
  });
});

describe('metres of a repair', () => {
  const moved = 'MULTIPOLYGON(((0 0,2 0,2 2,0 2,0 0)),((1 1,3 1,3 3,1 3,1 1)))';
  test.each([
    ['degrees', { geom_wkt: moved, src_crs: 'EPSG:4326' }, 111_319],
    [
      'US survey feet',
      { geom_wkb: null, geom_wkt: shifted(moved, 1_800_000, 600_000), src_crs: 'EPSG:3734' },
      1200 / 3937,
    ],
    ['Web Mercator at 60° north', { geom_wkt: shifted(moved, 1_000_000, 8_399_738), src_crs: 'EPSG:3857' }, 0.5],
    ['no claim at all', { geom_wkt: moved }, null],
  ])('in %s follow from the place', async (_, members, per_unit) => {
    const { hausdorff, hausdorff_m } = await repaired(members, 'structure');
    expect(hausdorff).toBeGreaterThan(0.5);
    if (per_unit === null) return expect(hausdorff_m).toBeNull();
    const metres = (hausdorff ?? 0) * per_unit;
    expect(hausdorff_m).toBeGreaterThan(metres * 0.99);
    expect(hausdorff_m).toBeLessThan(metres * 1.01);
  });
});

test('a claim that names no CRS leaves the repair without a place, and says why', async () => {
  const answer = await repaired({ ...wkt('POLYGON((0 0,1 1,1 0,0 1,0 0))'), src_crs: 'nonsense' });
  expect(answer).toMatchObject({ possible: true, reprojected_wkb: null, reproject_error: expect.stringMatching(/\S/) });
});

test('a viewer sees no geometry of a sensitive entry, an operator does', async () => {
  const id = await captured({ ...wkt('POLYGON((0 0,1 1,1 0,0 1,0 0))'), sensitive: true });
  const as = (role: 'viewer' | 'operator') =>
    previewRepair({ db: database.db, actor: { role } }, { id, method: 'linework' });
  const masked = await as('viewer');
  expect(masked).toMatchObject({ possible: false, payload_hash: 'masked', geom_wkb: null, area_after: null });
  expect(JSON.stringify(masked)).not.toContain('POLYGON');
  expect(await as('operator')).toMatchObject({ possible: true, area_after: 0.5 });
});

test('a preview stores nothing', async () => {
  const id = await captured(wkt('POLYGON((0 0,1 1,1 0,0 1,0 0))'));
  const rows = async () =>
    (
      await database.pool.query(
        'select (select json_agg(p) from dlq.payload p where entry_id = $1) as p, (select to_json(s) from dlq.state s where entry_id = $1) as s',
        [id],
      )
    ).rows;
  const before = await rows();
  await previewRepair({ db: database.db, actor: operator }, { id, method: 'structure' });
  expect(await rows()).toEqual(before);
});

/** A WKT with its coordinates moved. */
function shifted(text: string, x: number, y: number): string {
  return text.replace(/(\d+) (\d+)/g, (_, a, b) => `${Number(a) + x} ${Number(b) + y}`);
}

test('the distance of a repair is the one that ST_HausdorffDistance has', async () => {
  const shapes = [
    'MULTIPOLYGON(((0 0,2 0,2 2,0 2,0 0)),((1 1,3 1,3 3,1 3,1 1)))',
    'POLYGON((0 0,4 0,4 4,0 4,0 0),(3 3,6 3,6 6,3 6,3 3))',
    'POLYGON((0 0,10 3,10 0,0 3,5 9,0 0))',
    'GEOMETRYCOLLECTION(POINT(7 7),LINESTRING(0 0,5 5),POLYGON((0 0,2 0,2 2,5 5,2 2,0 2,0 0)))',
  ];
  for (const shape of shapes)
    for (const method of REPAIR_METHODS) {
      const { hausdorff, geom_wkb } = await repaired(wkt(shape), method);
      const { rows } = await database.pool.query(
        'select ST_HausdorffDistance($1::geometry, $2::geometry) as distance',
        [shape, geom_wkb],
      );
      expect([shape, method, hausdorff]).toEqual([shape, method, expect.closeTo(rows[0].distance, 9)]);
    }
});
