import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDisplacement } from '@/lib/crs/displacement';
import type { Landing, SourceGrid } from '@/lib/crs/displacement-group';
import { medianPlace } from '@/lib/crs/displacement-median';
import { liesInTile, placeOfCell } from '@/lib/crs/displacement-place';
import { fromLonLat, toLonLat } from '@/lib/crs/place';
import { allCrs } from '@/lib/crs/registry/registry';
import { type LonLat, metresBetween } from '@/lib/crs/sphere';
import { tileCentre } from '@/lib/crs/web-mercator';
import { cellAt } from '@/lib/index/z-order';

const Z = 12;
/** Numbers in [0, 1) that are the same each time. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Entries whose true places are spread over a box, each landing where `wrong` puts its true place. */
function landings(
  [west, south, east, north]: readonly [number, number, number, number],
  wrong: (lon: number, lat: number) => LonLat,
  count = 60,
  z = Z,
): Landing[] {
  const draw = draws(7);
  return Array.from({ length: count }, () => {
    const lon = west + draw() * (east - west);
    const lat = south + draw() * (north - south);
    const n = 2 ** z;
    const x = Math.floor(((lon + 180) / 360) * n);
    const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * n);
    return { from: wrong(lon, lat), to: tileCentre({ z, x, y }), tile_z: z, tile_distance_m: null };
  });
}

const OHIO = [-84.5, 38.8, -80.8, 41.6] as const;
const record = (id: string) => {
  const found = allCrs().find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not in the registry`);
  return found;
};
const gridOf = (id: string): SourceGrid => ({
  crs: id,
  metres_per_unit: record(id).unit_factor ?? 1,
  forward: ([lon, lat]) => fromLonLat(record(id), lon, lat),
});
/** What a claim makes of coordinates that were changed in the source. */
const misread =
  (id: string, change: (x: number, y: number) => readonly [number, number]) => (lon: number, lat: number) => {
    const true_numbers = fromLonLat(record(id), lon, lat);
    const place = true_numbers && toLonLat(record(id), ...(change(...true_numbers) as [number, number]));
    if (!place) throw new Error(`${id} cannot take ${lon} ${lat}`);
    return place;
  };
const found = (list: Landing[], grid: SourceGrid | null = null) => {
  const displacement = describeDisplacement(list, grid);
  return displacement && [displacement.kind, displacement.sentence];
};

describe('what the landings of a group have in common', () => {
  it('lying in their tiles is no displacement', () => {
    const list = landings(OHIO, (lon, lat) => [lon, lat]);
    expect(describeDisplacement(list, null)).toMatchObject({ kind: 'in_tiles', in_tile: 60, bearing: null });
  });

  it('a few strays among many that lie well do not speak for them, and half do', () => {
    const swap = (lon: number, lat: number): LonLat => [lat, lon];
    const well = landings(OHIO, (lon, lat) => [lon, lat]);
    const wrong = landings(OHIO, swap);
    expect(found([...well, ...wrong.slice(0, 5)])?.[0]).toBe('in_tiles');
    const half = describeDisplacement([...well, ...wrong], null);
    expect(half).toMatchObject({ kind: 'swapped', in_tile: 60 });
    expect(half?.from[0]).toBeCloseTo(40.2, 0);
  });

  it('a place whose geometry touches its tile lies in it, whatever its middle', () => {
    const list = landings(OHIO, (lon, lat) => [lon + 0.2, lat]).map((one) => ({ ...one, tile_distance_m: 0 }));
    expect(found(list)?.[0]).toBe('in_tiles');
  });

  it('swapped axes are a mirror, also where the map cut them at its edge', () => {
    expect(found(landings(OHIO, (lon, lat) => [lat, lon]))).toEqual(['swapped', 'mirrored: axis swap']);
    const cut = landings([-88.9, 40, -86, 42], (lon, lat) => [lat, Math.max(-85.05112, lon)]);
    expect(found(cut)).toEqual(['swapped', 'mirrored: axis swap']);
  });

  it('a lost sign is a mirror at the equator, at Greenwich or at both', () => {
    expect(found(landings(OHIO, (lon, lat) => [-lon, lat]))?.[1]).toContain('Greenwich');
    expect(found(landings(OHIO, (lon, lat) => [lon, -lat]))?.[1]).toContain('equator');
    expect(found(landings(OHIO, (lon, lat) => [-lon, -lat]))?.[1]).toContain('both signs');
    expect(found(landings(OHIO, (lon, lat) => [lat, -lon]))?.[0]).toBe('swapped_and_sign_lost');
  });

  it('an offset of the source is a constant in its own metres, and its size names the cause', () => {
    const easting = misread('EPSG:25832', (x, y) => [x - 500_000, y]);
    expect(found(landings([6.5, 48, 11.5, 54], easting), gridOf('EPSG:25832'))).toEqual([
      'constant',
      'constant 500 km east in EPSG:25832: false easting',
    ]);
    const odd = misread('EPSG:25832', (x, y) => [x + 31_000, y]);
    expect(found(landings([6.5, 48, 11.5, 54], odd), gridOf('EPSG:25832'))).toEqual([
      'constant',
      'constant 31 km west in EPSG:25832',
    ]);
    const northing = misread('EPSG:32733', (x, y) => [x, y - 1_000_000]);
    expect(found(landings([13, -20, 17, -15], northing), gridOf('EPSG:32733'))?.[1]).toBe(
      'constant 1,000 km north in EPSG:32733',
    );
  });

  it('without a grid an offset is measured on the ground, in EPSG:3857 or in degrees, whichever is constant', () => {
    const mercator = misread('EPSG:3857', (x, y) => [x + 500_000, y]);
    expect(found(landings([0, -60, 10, 60], mercator))).toEqual([
      'constant',
      'constant 500 km west in EPSG:3857: false easting',
    ]);
    const meridian = landings([0, -60, 10, 60], (lon, lat) => [lon + 2.337, lat]);
    expect(found(meridian)?.[1]).toMatch(/^constant (2\.34° west|260 km west in EPSG:3857)/);
  });

  it('one zone of UTM off is six degrees', () => {
    expect(found(landings(OHIO, (lon, lat) => [lon + 6, lat]))).toEqual([
      'zone_shift',
      'constant 6° west: one UTM zone off',
    ]);
    expect(found(landings([176, -44, 178, -40], (lon, lat) => [lon + 12 - 360, lat]))?.[1]).toBe(
      'constant 12° west: 2 UTM zones off',
    );
  });

  it('a unit is a scale about the origin of the source', () => {
    const feet = misread('EPSG:32123', (x, y) => [x / 0.3048, y / 0.3048]);
    expect(found(landings(OHIO, feet), gridOf('EPSG:32123'))).toEqual([
      'scaled',
      'scaled by 0.3048 in EPSG:32123: feet read as metres',
    ]);
    const metres = misread('EPSG:3734', (x, y) => [x * 0.3048, y * 0.3048]);
    expect(found(landings(OHIO, metres), gridOf('EPSG:3734'))?.[1]).toContain('metres read as feet');
    const odd = misread('EPSG:32123', (x, y) => [x * 1.7, y * 1.7]);
    expect(found(landings(OHIO, odd), gridOf('EPSG:32123'))).toEqual([
      'scaled',
      'scaled by 0.588 about the origin of EPSG:32123',
    ]);
  });

  it('swapped axes of a projected source are said in its coordinates', () => {
    const swap = misread('EPSG:25832', (x, y) => [y, x]);
    expect(found(landings([8, 49, 10, 51], swap), gridOf('EPSG:25832'))?.[1]).toBe('mirrored: axis swap in EPSG:25832');
  });

  it('no common way is said so, with no direction', () => {
    const draw = draws(3);
    const list = landings(OHIO, () => [draw() * 360 - 180, draw() * 140 - 70]);
    expect(describeDisplacement(list, gridOf('EPSG:32123'))).toMatchObject({
      kind: 'scattered',
      sentence: 'no common displacement',
      bearing: null,
    });
  });

  it('tiles as large as the displacement cannot tell, and neither can two entries', () => {
    expect(found(landings(OHIO, (lon, lat) => [lat, lon], 60, 1))?.[0]).toBe('tiles_too_large');
    expect(found(landings(OHIO, (lon, lat) => [lon + 3, lat + 1], 2))?.[0]).toBe('too_few');
    expect(found(landings(OHIO, (lon, lat) => [lon + 3, lat + 1], 1))?.[1]).toMatch(
      /^one alone, \d+ km from its tile$/,
    );
    expect(describeDisplacement([], null)).toBeNull();
  });

  it('one bad fifth does not hide what the others share, and one bad half does', () => {
    const right = landings(OHIO, (lon, lat) => [lat, lon], 80);
    const draw = draws(5);
    const noise = landings(OHIO, () => [draw() * 360 - 180, draw() * 140 - 70], 80);
    expect(found([...right, ...noise.slice(0, 16)])?.[0]).toBe('swapped');
    expect(found([...right, ...noise])?.[0]).toBe('scattered');
  });

  it('any landings have an answer with finite figures', () => {
    const place = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
    );
    const landing = fc.record({
      from: place,
      to: place,
      tile_z: fc.integer({ min: 0, max: 26 }),
      tile_distance_m: fc.option(fc.double({ min: 0, max: 2e7, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(landing, { minLength: 1, maxLength: 12 }), fc.boolean(), (list, projected) => {
        const displacement = describeDisplacement(list, projected ? gridOf('EPSG:25832') : null);
        expect(displacement?.sentence).not.toMatch(/NaN|Infinity|undefined/);
        for (const value of [
          ...(displacement?.from ?? []),
          ...(displacement?.to ?? []),
          displacement?.distance_m,
          displacement?.spread_m,
        ])
          expect(value).toSatisfy(Number.isFinite);
      }),
    );
  });
});

describe('places', () => {
  it('the middle of places on both sides of 180° lies there', () => {
    expect(
      medianPlace([
        [179, 10],
        [-179, 12],
        [178, 11],
      ])[0],
    ).toBeCloseTo(179);
    expect(
      medianPlace([
        [-10, 0],
        [20, 0],
        [12, 0],
      ])[0],
    ).toBeCloseTo(12);
  });

  it('a cell is taken apart as it was made', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 26 - 1), fc.nat(2 ** 26 - 1), (x, y) => {
        const [lon, lat] = placeOfCell(Number(cellAt(x, y)));
        expect(metresBetween([lon, lat], tileCentre({ z: 26, x, y }))).toBeLessThan(1e-3);
      }),
    );
  });

  it('a tile at 180° holds what lies on either writing of its edge', () => {
    const centre = tileCentre({ z: 4, x: 15, y: 5 });
    expect(liesInTile([179.9, centre[1]], centre, 4)).toBe(true);
    expect(liesInTile([-180, centre[1]], centre, 4)).toBe(true);
    expect(liesInTile([-170, centre[1]], centre, 4)).toBe(false);
  });
});
