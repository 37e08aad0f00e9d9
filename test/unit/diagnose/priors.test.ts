import { describe, expect, test } from 'vitest';
import { paramsBox } from '@/lib/diagnose/params-box';
import { siblingPrior } from '@/lib/diagnose/sibling-prior';
import { tileBox } from '@/lib/diagnose/tile-box';

const tile = (
  tile_z: number | null,
  tile_x: number | null,
  tile_y: number | null,
  tile_matrix_set: string | null = null,
) => tileBox({ tile_z, tile_x, tile_y, tile_matrix_set });

describe('the footprint of a tile', () => {
  test('is its box in degrees, north up', () => {
    expect(tile(0, 0, 0)?.map((n) => Number(n.toFixed(4)))).toEqual([-180, -85.0511, 180, 85.0511]);
    expect(tile(4, 8, 5)?.map((n) => Number(n.toFixed(4)))).toEqual([0, 40.9799, 22.5, 55.7766]);
    expect(tile(4, 8, 5, 'WebMercatorQuad')).toEqual(tile(4, 8, 5));
  });

  test.each([
    ['a part is missing', tile(4, null, 5)],
    ['it lies outside the grid', tile(4, 16, 5)],
    ['it lies before the grid', tile(4, 0, -1)],
    ['the zoom is none', tile(-1, 0, 0)],
    ['the zoom is beyond all', tile(40, 0, 0)],
    ['the grid is another', tile(4, 8, 5, 'WorldCRS84Quad')],
  ])('is none where %s', (_, box) => expect(box).toBeNull());
});

describe('a box among the params', () => {
  test('is taken as degrees, west to north', () => {
    expect(paramsBox([6.5, 50, 7.5, 51])).toEqual([6.5, 50, 7.5, 51]);
  });

  test.each([
    ['missing', null],
    ['text', '6,50,7,51'],
    ['of six numbers', [6, 50, 0, 7, 51, 9]],
    ['of metres', [356000, 5645000, 357000, 5646000]],
    ['of pixels', [0, 0, 512, 512]],
    ['upside down', [6, 51, 7, 50]],
    ['without a width', [6, 50, 6, 51]],
    ['of texts', ['6', '50', '7', '51']],
  ])('that is %s is none', (_, given) => expect(paramsBox(given)).toBeNull());
});

describe('what siblings tell', () => {
  const siblings = (places: readonly (readonly [number, number] | null)[], crs = 'EPSG:4326') =>
    places.map((at, i) => ({ entry_id: String(i), crs, lon: at?.[0] ?? null, lat: at?.[1] ?? null }));
  const row = Array.from({ length: 20 }, (_, i) => [7 + i / 100, 50 + i / 100] as const);

  test('leaves out the entry itself and counts each CRS', () => {
    const all = [...siblings(row.slice(0, 3)), { entry_id: '9', crs: 'EPSG:25832', lon: 7, lat: 50 }];
    expect(siblingPrior(all, '0')).toEqual({
      bbox: null,
      accepted: [
        { crs: 'EPSG:4326', swapped: false, count: 2 },
        { crs: 'EPSG:25832', swapped: false, count: 1 },
      ],
    });
    expect(siblingPrior(siblings(row.slice(0, 1)), '0')).toBeNull();
  });

  test('is the box of where they lie, from five on, strays aside', () => {
    expect(siblingPrior(siblings([...row.slice(0, 4), null]), 'x')?.bbox).toBeNull();
    expect(siblingPrior(siblings(row.slice(0, 5)), 'x')?.bbox).toEqual([7, 50, 7.04, 50.04]);
    const [west, south, east, north] = siblingPrior(siblings([...row, [-120, 10]]), 'x')?.bbox ?? [];
    expect(west).toBeGreaterThanOrEqual(7);
    expect(south).toBeGreaterThanOrEqual(50);
    expect([east, north].every((n) => n !== undefined && n < 51)).toBe(true);
  });

  test('goes over 180° where they lie on both sides of it', () => {
    const fiji = [178, 179, 179.5, -179.5, -179, -178].map((lon) => [lon, -17] as const);
    expect(siblingPrior(siblings(fiji), 'x')?.bbox).toEqual([178, -17, -178, -17]);
  });
});
