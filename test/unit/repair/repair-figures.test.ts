import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidateChanges, lossRows } from '@/components/evidence/repair-words.model';
import type { Repair } from '@/lib/contract/repair';
import { countCrossings } from '@/lib/repair/count-crossings';
import { withSrid } from '@/lib/repair/ewkb-srid';
import { hausdorff } from '@/lib/repair/hausdorff';
import { isCandidate } from '@/lib/repair/is-candidate';
import { judgeLoss, type Measured } from '@/lib/repair/judge-loss';
import { tooMuchWork } from '@/lib/repair/repair-effort';
import { segmentsOf } from '@/lib/repair/segments';
import { whyNotRepair } from '@/lib/repair/why-not-repair';
import { bytesFromHex } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import { ewkb, ringsOf } from '../../db/repair/shapes';

const reading = (hex: string) => readWkb(bytesFromHex(hex) as Uint8Array, { max_findings: 0 });
const point = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
const ring = fc.array(point, { minLength: 3, maxLength: 24 }).map((points) => [...points, points[0]!].flat());

describe('crossings', () => {
  test('a bow-tie crosses once, a star of seven as often as its edges meet', () => {
    const crossings = (hex: string) => countCrossings(segmentsOf(reading(hex), true), 1e6);
    expect(crossings(ewkb([[0, 0, 1, 1, 1, 0, 0, 1, 0, 0]]))).toBe(1);
    const star = Array.from({ length: 8 }, (_, i) => [
      Math.cos((i * 6 * Math.PI) / 7),
      Math.sin((i * 6 * Math.PI) / 7),
    ]);
    expect(crossings(ewkb([star.flat()]))).toBe(14);
    expect(
      crossings(
        ewkb([
          [0, 0, 4, 0, 4, 4, 0, 4, 0, 0],
          [1, 1, 2, 1, 2, 2, 1, 1],
        ]),
      ),
    ).toBe(0);
  });

  test('are what comparing every pair finds, whatever the rings', () => {
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
        const segments = segmentsOf(reading(ewkb(rings)), true);
        expect(countCrossings(segments, 1e6)).toBe(everyPair(segments));
      }),
    );
  });

  test('beyond the bound are not counted on', () => {
    const tangle = Array.from({ length: 401 }, (_, i) => [(i * 7919) % 401, (i * 104_729) % 397]).flat();
    expect(countCrossings(segmentsOf(reading(ewkb([[...tangle, 0, 0]])), true), 10)).toBe(11);
  });

  /** A pair meets where both straddle each other and no end is shared. */
  function everyPair({ coords, line, count }: ReturnType<typeof segmentsOf>): number {
    let found = 0;
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) {
        if (line[i] === line[j] && j - i === 1) continue;
        const [ax, ay, bx, by] = coords.slice(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
        const [px, py, qx, qy] = coords.slice(j * 4, j * 4 + 4) as unknown as [number, number, number, number];
        const turn = (ox: number, oy: number, ex: number, ey: number, x: number, y: number) =>
          Math.sign((ex - ox) * (y - oy) - (ey - oy) * (x - ox));
        const apart =
          Math.max(ax, bx) < Math.min(px, qx) ||
          Math.max(px, qx) < Math.min(ax, bx) ||
          Math.max(ay, by) < Math.min(py, qy) ||
          Math.max(py, qy) < Math.min(ay, by);
        const ends = new Set([`${ax},${ay}`, `${bx},${by}`]);
        const shared = ends.has(`${px},${py}`) || ends.has(`${qx},${qy}`);
        const straddle =
          turn(ax, ay, bx, by, px, py) * turn(ax, ay, bx, by, qx, qy) <= 0 &&
          turn(px, py, qx, qy, ax, ay) * turn(px, py, qx, qy, bx, by) <= 0;
        if (!apart && !shared && straddle) found++;
      }
    return found;
  }
});

describe('the effort of a repair', () => {
  test('is refused by vertices and by crossings, and less of it by structure', () => {
    const tangle = Array.from({ length: 101 }, (_, i) => [(i * i * 37) % 401, (i * i * i * 11) % 397]).flat();
    const tangled = reading(ewkb([[...tangle, tangle[0] as number, tangle[1] as number]]));
    expect(tooMuchWork(tangled, 'linework', 2000)).toMatch(/^its lines cross or touch more than 79\d times$/);
    expect(tooMuchWork(tangled, 'structure', 2000)).toBeNull();
    const long = reading(
      ewkb([[...Array.from({ length: 60_000 }, (_, i) => [i, i % 2]).flat(), 59_999, -5, 0, -5, 0, 0]]),
    );
    expect(tooMuchWork(long, 'linework', 2000)).toBe('it has 60003 vertices');
    expect(tooMuchWork(long, 'linework', 8000)).toBeNull();
  });
});

describe('what the reader finds unfit', () => {
  test('a number that is none is counted, an empty point among others is not', () => {
    const nan = Number.NaN;
    expect(whyNotRepair(reading(ewkb([[0, 0, nan, 1, 1, 1, nan, nan, 0, 0]])))).toEqual({
      why_not: null,
      vertices_dropped: 2,
    });
  });

  test('a ring without a point is named by its place', () => {
    expect(whyNotRepair(reading(ringsOf([[[0, 0, 1, 0, 1, 1, 0, 0], []]])))).toMatchObject({
      why_not: expect.stringMatching(/^ring 1 of part 0 has no point/),
    });
  });
});

describe('the SRID of bytes', () => {
  test('is put in, changed and taken out, and every other byte stays', () => {
    const plain = bytesFromHex(ewkb([[0, 0, 1, 0, 1, 1, 0, 0]])) as Uint8Array;
    const marked = withSrid(plain, 3734);
    expect(readWkb(marked)).toMatchObject({ srid: 3734, vertex_count: 4, trailing_bytes: 0 });
    expect(readWkb(withSrid(marked, 4326)).srid).toBe(4326);
    expect(withSrid(withSrid(marked, 4326), null)).toEqual(plain);
    const big = Uint8Array.from([0, 0, 0, 0, 1, ...new Array<number>(16).fill(0)]);
    expect(readWkb(withSrid(big, 27_700))).toMatchObject({ srid: 27_700, type_name: 'Point' });
  });
});

describe('the loss of a repair', () => {
  const sound: Measured = {
    area_before: 100,
    area_after: 100,
    hausdorff: 0,
    hausdorff_skipped: null,
    type_before: 'POLYGON',
    type_after: 'POLYGON',
    dims_before: 'XY',
    dims_after: 'XY',
    vertices_dropped: 0,
    extent: 1000,
    dimension_before: 2,
    dimension_after: 2,
    least_dimension_after: 2,
    empty_after: false,
  };
  test.each<[string, Partial<Measured>, string]>([
    ['the same points', {}, 'none'],
    ['an area that changes by the budget', { area_after: 99.9 }, 'within budget'],
    ['an area that changes by more', { area_after: 99.89 }, 'over budget'],
    ['lines moved by a millionth', { hausdorff: 0.001 }, 'within budget'],
    ['lines moved by more', { hausdorff: 0.0011 }, 'over budget'],
    ['a dropped vertex', { vertices_dropped: 1 }, 'over budget'],
    ['dropped heights', { dims_before: 'XYZ' }, 'over budget'],
    ['lines instead of polygons', { dimension_after: 1, least_dimension_after: 1 }, 'over budget'],
    ['a line beside the polygons', { least_dimension_after: 1 }, 'over budget'],
    ['a line that the collection had', { least_dimension_after: 1, type_before: 'GEOMETRYCOLLECTION' }, 'none'],
    ['nothing left', { empty_after: true }, 'over budget'],
    ['no distance', { hausdorff: null, hausdorff_skipped: 'too many' }, 'not measured'],
    ['no distance, and another area', { hausdorff: null, area_after: 50 }, 'over budget'],
  ])('%s', (_, change, loss) => {
    expect(judgeLoss({ ...sound, ...change }).loss).toBe(loss);
  });
});

describe('the distance of two geometries', () => {
  test('is the furthest vertex of either from the other’s lines', () => {
    const square = reading(ewkb([[0, 0, 4, 0, 4, 4, 0, 4, 0, 0]]));
    expect(hausdorff(square, square)).toBe(0);
    expect(hausdorff(square, reading(ewkb([[0, 0, 2, 0, 4, 0, 4, 4, 0, 4, 0, 0]])))).toBe(0);
    expect(hausdorff(square, reading(ewkb([[0, 0, 4, 0, 4, 4, 2, 9, 0, 4, 0, 0]])))).toBe(5);
    expect(hausdorff(reading(ewkb([[0, 0, 4, 0, 4, 4, 2, 9, 0, 4, 0, 0]])), square)).toBe(5);
  });
});

describe('a candidate', () => {
  const candidates = [{ crs: 'EPSG:3734', swapped: true, equivalents: ['EPSG:3747'] }];
  test('is one of the diagnosis with the same axes, or gives the same place', () => {
    const axes = { swapped: true, x_sign: 1, y_sign: 1 } as const;
    expect(isCandidate(candidates, 'EPSG:3734', axes)).toBe(true);
    expect(isCandidate(candidates, 'EPSG:3747', axes)).toBe(true);
    expect(isCandidate(candidates, 'EPSG:3734', { ...axes, swapped: false })).toBe(false);
    expect(isCandidate(candidates, 'EPSG:3734', { ...axes, x_sign: -1 })).toBe(false);
    expect(isCandidate('broken', 'EPSG:3734', axes)).toBe(false);
  });

  test('is asked about by what it changes', () => {
    const axes = { crs: 'EPSG:3734', swapped: false, x_sign: 1, y_sign: 1 };
    expect(candidateChanges({ src_crs: 'EPSG:4326', srid: 4326 }, axes)).toEqual([
      'CRS claimed: EPSG:4326 → EPSG:3734',
      'SRID on the geometry: 4326 → 3734',
      'No vertex moves.',
    ]);
    expect(candidateChanges({ src_crs: null, srid: null }, { ...axes, swapped: true, y_sign: -1 })).toEqual([
      'CRS claimed: none → EPSG:3734',
      'x and y of every vertex change places',
      'the sign of y is turned',
    ]);
    expect(candidateChanges({ src_crs: 'EPSG:3734', srid: null }, { ...axes, swapped: true })).toEqual([
      'CRS claimed: EPSG:3734, as before',
      'x and y of every vertex change places',
    ]);
  });
});

test('the loss table says what an area of 0 is', () => {
  const repair = {
    area_before: 0,
    area_after: 0.5,
    was_valid: false,
    loss_why: ['the area was 0'],
    area_difference: null,
    hausdorff: 0,
    hausdorff_m: 0,
    type_before: null,
    type_after: null,
    parts_before: null,
    parts_after: null,
    vertices_before: null,
    vertices_after: null,
  };
  const area = lossRows(repair as unknown as Repair).find(({ name }) => name === 'Area');
  expect(area).toEqual({
    name: 'Area',
    before: '0',
    after: '0.5',
    note: 'the loops of its rings cancel out',
    over: true,
  });
});
