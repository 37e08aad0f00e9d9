import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterBbox, parseTile, scaleBar } from '@/components/map/geodesy';
import { compassWord, distanceText } from '@/lib/crs/distance-words';
import { bearingTo, metresBetween, wrapLon } from '@/lib/crs/sphere';
import { fromWorld, tileBbox, tileCentre, toWorld } from '@/lib/crs/web-mercator';

describe('tiles', () => {
  it('give the bounds of the Web Mercator grid', () => {
    expect(tileBbox({ z: 0, x: 0, y: 0 }).map((value) => Number(value.toFixed(6)))).toEqual([
      -180, -85.051129, 180, 85.051129,
    ]);
    const [west, south, east, north] = tileBbox({ z: 14, x: 4473, y: 6116 });
    expect(west).toBeCloseTo(-81.716309, 6);
    expect(east).toBeCloseTo(-81.694336, 6);
    expect(north).toBeCloseTo(41.442726, 6);
    expect(south).toBeCloseTo(41.426253, 6);
  });

  it('share their edges with their neighbours exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 22 }), fc.nat(), fc.nat(), (z, a, b) => {
        const x = a % (2 ** z - 1);
        const y = b % (2 ** z - 1);
        const here = tileBbox({ z, x, y });
        expect(tileBbox({ z, x: x + 1, y })[0]).toBe(here[2]);
        expect(tileBbox({ z, x, y: y + 1 })[3]).toBe(here[1]);
        const [lon, lat] = tileCentre({ z, x, y });
        expect(lon > here[0] && lon < here[2] && lat > here[1] && lat < here[3]).toBe(true);
      }),
    );
  });

  it('are read only from an address that exists', () => {
    expect(parseTile('9/143/191')).toEqual({ z: 9, x: 143, y: 191 });
    for (const text of ['', '9/143', '2/4/0', '31/0/0', '9/-1/0', '9/1.5/0']) expect(parseTile(text)).toBeNull();
  });
});

describe('distances', () => {
  it('agree with the database within 0.6 %', () => {
    const metres = metresBetween([-81.7053, 41.5013], [-64.5, 44.1]);
    const onSphere = 1_430_333.57; // ST_DistanceSphere of the two points
    const onEllipsoid = 1_433_939.78; // ST_Distance of them as geography
    expect(Math.abs(metres / onSphere - 1)).toBeLessThan(1e-5);
    expect(Math.abs(metres / onEllipsoid - 1)).toBeLessThan(0.006);
    expect(metresBetween([0, 0], [180, 0])).toBeCloseTo(Math.PI * 6_371_008.8, 0);
  });

  it('are the same across 180° as anywhere else', () => {
    expect(metresBetween([179.5, 10], [-179.5, 10])).toBeCloseTo(metresBetween([10, 10], [11, 10]), 3);
  });

  it('are written with their unit, and grouped', () => {
    expect([0, 340.4, 9_600, 185_300, 1_579_000].map(distanceText)).toEqual([
      '0 m',
      '340 m',
      '9.6 km',
      '185 km',
      '1,579 km',
    ]);
  });

  it('have one of eight directions', () => {
    expect(compassWord(bearingTo([0, 0], [0, 10]))).toBe('north');
    expect(compassWord(bearingTo([0, 0], [-10, 0]))).toBe('west');
    expect(compassWord(bearingTo([179, 0], [-179, 0]))).toBe('east');
    expect(compassWord(bearingTo([0, 0], [-5, -5]))).toBe('south-west');
  });
});

describe('longitudes', () => {
  it('wrap into the half-open range', () => {
    expect([180, -180, 190, -541, 0].map(wrapLon)).toEqual([-180, -180, -170, 179, 0]);
  });

  it('make a filter’s box of any view', () => {
    expect(filterBbox([-200, -95, 300, 95])).toEqual([-180, -90, 180, 90]);
    expect(filterBbox([170, 0, 190, 10])).toEqual([170, 0, -170, 10]);
    expect(filterBbox([350, 0, 360, 10])).toEqual([-10, 0, 0, 10]);
    expect(filterBbox([90, 0, 180, 10])).toEqual([90, 0, 180, 10]);
  });
});

it('the Mercator square goes there and back', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (a, b) => {
        const [lon, lat] = fromWorld(...toWorld([a, b]));
        expect(lon).toBeCloseTo(a, 9);
        expect(lat).toBeCloseTo(b, 9);
      },
    ),
  );
});

it('the scale bar is round and fits', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: 0, max: 22, noNaN: true }),
      (lat, zoom) => {
        const { metres, px } = scaleBar(lat, zoom, 96);
        expect(px).toBeLessThanOrEqual(96.000001);
        expect(px).toBeGreaterThan(96 / 2.6);
        expect([1, 2, 3, 5]).toContain(Math.round(metres / 10 ** Math.floor(Math.log10(metres) + 1e-9)));
      },
    ),
  );
});
