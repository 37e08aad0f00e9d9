import { describe, expect, test } from 'vitest';
import { fromLonLat } from '@/lib/crs/place';
import { type Bbox, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { tileBox } from '@/lib/diagnose/tile-box';
import { judgeWkt } from './judge-numbers-of';

function lineIn(id: string, lon: number, lat: number, turn = (x: number, y: number) => [x, y]): string {
  const vertices = [0, 0.01, 0.02].map((d) =>
    turn(...(fromLonLat(crsOf(id) as CrsRecord, lon + d, lat + d) ?? [0, 0])).join(' '),
  );
  return `LINESTRING(${vertices})`;
}

/** The tile of zoom 12 that holds a place, its row counted from the south. */
function tmsTile(lon: number, lat: number): Bbox {
  const across = 2 ** 12;
  const angle = (lat * Math.PI) / 180;
  const row = Math.floor(((1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2) * across);
  const tile = { tile_z: 12, tile_x: Math.floor(((lon + 180) / 360) * across), tile_y: across - 1 - row };
  return tileBox({ ...tile, tile_matrix_set: null }) as Bbox;
}

describe('an older or newer edition of the same grid', () => {
  test.each([
    ['EPSG:21781', 'EPSG:2056', 7.4, 46.9],
    ['EPSG:2056', 'EPSG:21781', 7.4, 46.9],
  ])('is found without a tile: %s claimed, numbers of %s', (claimed, numbers, lon, lat) => {
    const { crs_verdict, candidates, suggestion } = judgeWkt(lineIn(numbers, lon, lat), { src_crs: claimed });
    expect(['agrees', 'wrong_unit']).not.toContain(crs_verdict);
    expect(candidates[0]?.crs).toBe(numbers);
    expect([numbers, null]).toContain(suggestion);
  });

  test('a zone that writes its meridian behind a stroke is a neighbouring zone', () => {
    const judged = judgeWkt(lineIn('EPSG:2177', 18, 52.2), { src_crs: 'EPSG:2178' });
    expect(judged).toMatchObject({ crs_verdict: 'wrong_zone', suggestion: 'EPSG:2177' });
  });

  test('of twins that differ in axis order or prime meridian the one like the claim is named', () => {
    const gauss = judgeWkt(lineIn('EPSG:31466', 7, 51), { src_crs: 'EPSG:31467' });
    expect(gauss).toMatchObject({ crs_verdict: 'wrong_zone', suggestion: 'EPSG:31466' });
    const krovak = judgeWkt(lineIn('EPSG:5514', 14.4, 50.1), { src_crs: 'EPSG:5513' });
    expect(krovak.suggestion).toBe('EPSG:5514');
  });
});

describe('a tile whose row is counted from the south', () => {
  test('agrees, and is named, where the numbers keep their sign', () => {
    for (const id of ['EPSG:4326', 'EPSG:3857']) {
      const judged = judgeWkt(lineIn(id, 151, -33), { src_crs: id, tile: tmsTile(151, -33) });
      expect(judged).toMatchObject({ crs_verdict: 'agrees', candidates: [], suggestion: null });
      expect(judged.crs_reason).toMatch(/TMS/);
    }
  });

  test('is named beside a lost sign, and nothing is suggested, where both would explain it', () => {
    for (const id of ['EPSG:4326', 'EPSG:3857']) {
      const judged = judgeWkt(lineIn(id, 11.5, 48.1), { src_crs: id, tile: tmsTile(11.5, 48.1) });
      expect(judged.suggestion).toBeNull();
      expect(judged.crs_reason).toMatch(/sign of y is lost.*TMS/);
      expect(judged.candidates[0]).toMatchObject({ crs: id, y_sign: -1 });
    }
  });

  test('a lost sign in a grid of the other hemisphere is still a lost sign', () => {
    const lost = lineIn('EPSG:5514', 14.4, 50.1, (x, y) => [x, -y]);
    const judged = judgeWkt(lost, { src_crs: 'EPSG:5514', tile: [14.3, 50, 14.6, 50.3] });
    expect(judged.suggestion).toBe('EPSG:5514');
  });
});

describe('numbers that are all 0', () => {
  test.each(['EPSG:4326', 'EPSG:3857', 'EPSG:27700'])('say so, and tell nothing against %s', (src_crs) => {
    const judged = judgeWkt('LINESTRING(0 0,0 0)', { src_crs, tile: tmsTile(11.5, 48.1) });
    expect(judged).toMatchObject({ crs_verdict: 'agrees', candidates: [], suggestion: null });
    expect(judged.crs_reason).toMatch(/All numbers are 0/);
  });

  test('are outside an area of use that does not hold them', () => {
    const judged = judgeWkt('POINT(0 0)', { src_crs: 'EPSG:2193' });
    expect(judged).toMatchObject({ crs_verdict: 'outside_area_of_use', candidates: [], suggestion: null });
  });
});
