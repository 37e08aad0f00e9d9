import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLonLat, toLonLat } from '@/lib/crs/place';
import { allCrs, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';

const known = (id: string) => crsOf(id) as CrsRecord;
const near = (lon: number, lat: number) => [expect.closeTo(lon, 4), expect.closeTo(lat, 4)];

describe('a point in the units of a CRS is placed in degrees from Greenwich', () => {
  it.each([
    ['EPSG:4326', [2.5, 48.9], near(2.5, 48.9)],
    ['EPSG:3857', [20_037_508.34, 0], near(180, 0)],
    ['EPSG:32630', [500_000, 0], near(-3, 0)],
    // grads from Paris
    ['EPSG:4807', [0, 54], near(2.33722917, 48.6)],
    ['EPSG:27561', [600_000, 200_000], near(2.33722917, 49.5)],
    // US survey feet of a false easting of 300 km
    ['EPSG:2263', [984_250, 0], near(-74, 40.16667)],
    // westing and southing
    ['EPSG:2053', [0, 3_000_000], near(29, -27.11164)],
    ['EPSG:4979', [10, 20], near(10, 20)],
  ])('%s %j', (id, [x, y], expected) => {
    expect(toLonLat(known(id), x as number, y as number)).toEqual(expected);
  });

  it('a longitude beyond 180° comes round', () => {
    expect(toLonLat(known('EPSG:4326'), 190, 10)).toEqual([-170, 10]);
    expect(fromLonLat(known('EPSG:3857'), -170, 0)?.[0]).toBeLessThan(0);
  });

  it('a pole is not taken for the other one', () => {
    for (const lat of [90, -90]) {
      const [x, y] = fromLonLat(known('EPSG:4087'), 10, lat) as [number, number];
      expect(y).toBeCloseTo(Math.sign(lat) * 10_018_754.17, 1);
      expect(toLonLat(known('EPSG:4087'), x, Math.sign(lat) * 10_018_754.171394622)?.[1]).toBeCloseTo(lat, 6);
    }
  });

  it('west and south count the other way', () => {
    const west = toLonLat(known('EPSG:2053'), 100_000, 3_000_000);
    expect(west?.[0]).toBeLessThan(29);
  });
});

describe('where there is no place', () => {
  it('not finite, off the Earth or far outside the projection is null', () => {
    for (const [x, y] of [
      [Number.NaN, 0],
      [0, Number.POSITIVE_INFINITY],
    ] as const)
      for (const id of ['EPSG:4326', 'EPSG:32630']) {
        expect(toLonLat(known(id), x, y)).toBeNull();
        expect(fromLonLat(known(id), x, y)).toBeNull();
      }
    expect(toLonLat(known('EPSG:4326'), 500_000, 4_649_776)).toBeNull();
    expect(toLonLat(known('EPSG:4326'), 10, 91)).toBeNull();
    expect(fromLonLat(known('EPSG:3857'), 10, 91)).toBeNull();
    expect(toLonLat(known('EPSG:32630'), 1e12, 1e12)).toBeNull();
    expect(toLonLat(known('EPSG:32631'), 9e7, 4e6)).toBeNull();
  });

  it('a vertical, geocentric or compound CRS, another body’s, or one that proj4 cannot do', () => {
    for (const id of ['EPSG:5701', 'EPSG:4978', 'EPSG:7405', 'ESRI:104905', 'EPSG:6247']) {
      expect(toLonLat(known(id), 10, 10)).toBeNull();
      expect(fromLonLat(known(id), 10, 10)).toBeNull();
    }
  });
});

describe('any point in any CRS', () => {
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -1e8, max: 1e8, noNaN: true }),
    fc.double({ min: -400, max: 400, noNaN: true }),
  );
  const record = fc.constantFrom(...allCrs());

  it('so far away that its longitude holds no whole turns is still on the Earth', () => {
    const place = toLonLat(crsOf('IGNF:GEOPORTALREU') as CrsRecord, 1.1678600926977286e23, 0);
    expect(Math.abs(place?.[0] ?? 0)).toBeLessThanOrEqual(180);
  });

  it('is placed on the Earth or nowhere, never an exception', () => {
    fc.assert(
      fc.property(record, number, number, (crs, x, y) => {
        const place = toLonLat(crs, x, y);
        if (place) {
          expect(Math.abs(place[0])).toBeLessThanOrEqual(180);
          expect(Math.abs(place[1])).toBeLessThanOrEqual(90);
        }
        const own = fromLonLat(crs, x, y);
        if (own) expect(own.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('in its area of use comes back to the same metre', () => {
    const placed = allCrs().filter(({ envelope, proj }) => envelope && proj);
    fc.assert(
      fc.property(
        fc.constantFrom(...placed),
        fc.double({ min: 0.1, max: 0.9 }),
        fc.double({ min: 0.1, max: 0.9 }),
        (crs, u, v) => {
          const [west, south, east, north] = crs.envelope as [number, number, number, number];
          const x = west > east ? west : west + (east - west) * u;
          const y = south + (north - south) * v;
          const place = toLonLat(crs, x, y);
          if (!place) return;
          const back = fromLonLat(crs, ...place) as [number, number];
          const metres = crs.kind === 'projected' ? (crs.unit_factor ?? 1) : 6_371_000 * (crs.unit_factor ?? 1);
          expect(Math.hypot(back[0] - x, back[1] - y) * metres).toBeLessThan(1);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
