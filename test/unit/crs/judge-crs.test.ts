import { describe, expect, test } from 'vitest';
import { fromLonLat } from '@/lib/crs/place';
import { type Bbox, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { CRS_VERDICTS } from '@/lib/dead-letter/vocabulary';
import { judgeBytes, judgeWkt } from './judge-numbers-of';

const crs = (id: string) => crsOf(id) as CrsRecord;

/** A small line at a place, in the numbers of a CRS. */
function lineIn(id: string, lon: number, lat: number, change = ([x, y]: [number, number]) => [x, y]): string {
  const points = [0, 0.002, 0.004].map((away) => {
    const [x, y] = change(fromLonLat(crs(id), lon + away, lat + away) as [number, number]);
    return `${x} ${y}`;
  });
  return `LINESTRING(${points.join(',')})`;
}

const around = (lon: number, lat: number, half = 0.2): Bbox => [lon - half, lat - half, lon + half, lat + half];

describe('what agrees', () => {
  test('a place in its area of use agrees, and the reason says so', () => {
    const judged = judgeWkt('POINT(530000 180000)', { src_crs: 'EPSG:27700' });
    expect(judged).toMatchObject({ crs_verdict: 'agrees', also: [], candidates: [], suggestion: null });
    expect(judged.crs_reason).toBe('Lies in its area of use.');
  });

  test('in its tile, too', () => {
    const judged = judgeWkt('POINT(530000 180000)', { src_crs: 'EPSG:27700', tile: around(-0.13, 51.5) });
    expect(judged.crs_reason).toBe('Lies in its tile and in its area of use.');
  });

  test.each([
    ['EPSG:31467', 9.5, 49],
    ['EPSG:2180', 19, 52],
    ['EPSG:3346', 24, 55],
    ['EPSG:2193', 172, -41],
  ])('a northing-first CRS stored x,y agrees: %s', (id, lon, lat) => {
    expect(crs(id).axis_order).toBe('north_east');
    expect(judgeWkt(lineIn(id, lon, lat), { src_crs: id, tile: around(lon, lat) }).crs_verdict).toBe('agrees');
    expect(judgeWkt(lineIn(id, lon, lat), { src_crs: id }).crs_verdict).toBe('agrees');
  });

  test("Landsat's negative northing of UTM north below the equator agrees, with and without its tile", () => {
    const scene = lineIn('EPSG:32622', -49, -12);
    expect(scene).toContain(' -13');
    expect(judgeWkt(scene, { src_crs: 'EPSG:32622', srid: 32622 }).crs_verdict).toBe('agrees');
    expect(judgeWkt(scene, { src_crs: 'EPSG:32622', tile: around(-49, -12) }).crs_verdict).toBe('agrees');
  });

  test.each([
    ['4326 and CRS84', 'OGC:CRS84', 4326, 'POINT(9 48)'],
    ['900913 and 3857', 'EPSG:900913', 3857, 'POINT(1000000 6000000)'],
    ['102100 and 3857', 'ESRI:102100', 3857, 'POINT(1000000 6000000)'],
    ['a claim and no SRID', 'EPSG:4326', 0, 'POINT(9 48)'],
    ['two datums a metre apart', 'EPSG:4258', 4326, 'POINT(9 48)'],
  ])('%s are one claim', (_, src_crs, srid, wkt) => {
    const { crs_verdict, also } = judgeWkt(wkt, { src_crs, srid });
    expect([crs_verdict, ...also]).not.toContain('srid_differs_from_claim');
  });

  test('a whole world agrees in degrees and in Web Mercator', () => {
    expect(judgeWkt('LINESTRING(-180 -90,180 90)', { src_crs: 'EPSG:4326' }).crs_verdict).toBe('agrees');
    const world = 'LINESTRING(-20037508.34 -20037508.34,20037508.34 20037508.34)';
    expect(judgeWkt(world, { src_crs: 'EPSG:3857' }).crs_verdict).toBe('agrees');
  });

  test('a geometry larger than its tile agrees, and so does one beside it', () => {
    const country = 'LINESTRING(6 47,15 55,8 49)';
    const tile = around(8, 49, 0.01);
    expect(judgeWkt(country, { src_crs: 'EPSG:4326', tile }).crs_verdict).toBe('agrees');
    expect(judgeWkt('POINT(8.1 49)', { src_crs: 'EPSG:4326', tile: around(8.4, 49, 0.17) }).crs_verdict).toBe('agrees');
  });

  test('a tile next to its own moves no sound claim', () => {
    for (const off of [-0.4, -0.35, 0.35, 0.4])
      expect(
        judgeWkt('POINT(530000 180000)', { src_crs: 'EPSG:27700', tile: around(-0.13 + off, 51.5, 0.176) }).crs_verdict,
      ).toBe('agrees');
  });

  test('a grid used 100 km beyond its area of use agrees', () => {
    expect(judgeWkt(lineIn('EPSG:2154', -6.2, 48), { src_crs: 'EPSG:2154' }).crs_verdict).toBe('agrees');
  });

  test("the database's answer decides, not proj4's", () => {
    const placed = { points: [[100, 10] as [number, number]], error: null };
    expect(judgeWkt('POINT(530000 180000)', { src_crs: 'EPSG:27700', placed }).crs_verdict).toBe('outside_area_of_use');
  });
});

describe('claims', () => {
  test('nothing to judge is no verdict', () => {
    expect(judgeWkt('LINESTRING EMPTY', { src_crs: 'EPSG:4326' })).toMatchObject({
      crs_verdict: null,
      crs_reason: null,
    });
    expect(judgeWkt('LINESTRING EMPTY').crs_verdict).toBeNull();
  });

  test('a code that nobody knows is named also where there is no geometry', () => {
    expect(judgeWkt('POINT(1 2)', { src_crs: 'EPSG:99999' }).crs_verdict).toBe('unknown_crs');
    expect(judgeWkt('LINESTRING EMPTY', { src_crs: 'EPSG:99999' })).toMatchObject({
      crs_verdict: 'unknown_crs',
      crs_reason: 'Neither the registry nor PROJ knows EPSG:99999.',
    });
  });

  test.each([null, '', 'None', 'unknown', '0'])('no claim: %j', (src_crs) => {
    const judged = judgeWkt('POINT(9.5 48.2)', { src_crs, srid: 0, tile: around(9.5, 48.2) });
    expect(judged.crs_verdict).toBe('no_claim');
    expect(judged.suggestion).toBe('EPSG:4326');
  });

  test('no claim and numbers of many countries name no CRS', () => {
    const judged = judgeWkt('POINT(500000.5 5300000.5)');
    expect(judged).toMatchObject({ crs_verdict: 'no_claim', suggestion: null });
    expect(judged.crs_reason).toMatch(/places fit equally; no CRS is named\.$/);
  });

  test('an SRID of another place is told, with the place that the tile speaks for', () => {
    const judged = judgeWkt(lineIn('EPSG:25833', 13.4, 52.5), {
      src_crs: 'EPSG:25832',
      srid: 25833,
      tile: around(13.4, 52.5),
    });
    expect(judged).toMatchObject({ crs_verdict: 'srid_differs_from_claim', suggestion: 'EPSG:25833' });
    expect(judged.crs_reason).toBe("The text claims EPSG:25832, the geometry's SRID says EPSG:25833.");
  });

  test('a deprecated code that still places the numbers right is deprecated, and says what replaces it', () => {
    const judged = judgeWkt('POINT(1000000 6000000)', { src_crs: 'EPSG:3785' });
    expect(judged).toMatchObject({ crs_verdict: 'deprecated', candidates: [], suggestion: null });
    expect(judged.crs_reason).toMatch(/^EPSG:3785 is deprecated; .*EPSG:3857/);
  });
});

describe('mistakes', () => {
  test('metres claimed as degrees', () => {
    const judged = judgeWkt(lineIn('EPSG:3857', 9, 48), { src_crs: 'EPSG:4326', tile: around(9, 48) });
    expect(judged).toMatchObject({ crs_verdict: 'metres_as_degrees', suggestion: 'EPSG:3857' });
    expect(judged.crs_reason).toBe('The numbers are metres of EPSG:3857; the claim says degrees.');
  });

  test('degrees claimed as metres', () => {
    for (const given of [{}, { tile: around(9.5, 48.2) }]) {
      const judged = judgeWkt('LINESTRING(9.5 48.2,9.6 48.3)', { src_crs: 'EPSG:25832', ...given });
      expect(judged).toMatchObject({ crs_verdict: 'degrees_as_metres', suggestion: 'EPSG:4326' });
      expect(judged.crs_reason).toBe('The numbers are degrees; the claim says metres.');
    }
  });

  test('numbers at the origin of a grid are not degrees', () => {
    const near_origin = lineIn('EPSG:2039', 35.2045, 31.7344, ([x, y]) => [x - 219529, y - 626907]);
    expect(near_origin).toBeTruthy();
    const soldner = crs('EPSG:3068');
    const [x, y] = fromLonLat(soldner, 13.0, 52.33) as [number, number];
    expect(judgeWkt(`POINT(${x} ${y})`, { src_crs: 'EPSG:3068' }).crs_verdict).toBe('agrees');
  });

  test('swapped axes, in degrees and in metres', () => {
    const degrees = judgeWkt('POINT(48.2 9.5)', { src_crs: 'EPSG:4326', tile: around(9.5, 48.2) });
    expect(degrees).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:4326' });
    expect(degrees.candidates[0]).toMatchObject({ swapped: true, x_sign: 1, y_sign: 1, in_prior: 1, to_tile_m: 0 });
    expect(degrees.crs_reason).toBe('x and y are swapped: read as y,x they lie in its tile.');
    const metres = judgeWkt(
      lineIn('EPSG:31467', 9.5, 49, ([x, y]) => [y, x]),
      { src_crs: 'EPSG:31467' },
    );
    expect(metres).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:31467' });
  });

  test('swapped axes and a lost sign', () => {
    const judged = judgeWkt('POINT(39.7 104.9)', { src_crs: 'EPSG:4326', tile: around(-104.9, 39.7) });
    expect(judged).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:4326' });
    expect(judged.candidates[0]).toMatchObject({ swapped: true, x_sign: -1, y_sign: 1 });
    expect(judged.crs_reason).toBe('x and y are swapped, and the sign of x is lost: read as y,x they lie in its tile.');
  });

  test('a lost sign', () => {
    const judged = judgeWkt('POINT(104.9 39.7)', { src_crs: 'EPSG:4326', tile: around(-104.9, 39.7) });
    expect(judged).toMatchObject({ crs_verdict: 'wrong_crs', suggestion: 'EPSG:4326' });
    expect(judged.candidates[0]).toMatchObject({ swapped: false, x_sign: -1, y_sign: 1 });
    expect(judged.crs_reason).toBe('The sign of x is lost: with it the numbers lie in its tile.');
  });

  test('US survey feet claimed as metres', () => {
    const judged = judgeWkt(lineIn('EPSG:2263', -73.98, 40.75), { src_crs: 'EPSG:32118', tile: around(-73.98, 40.75) });
    expect(judged).toMatchObject({ crs_verdict: 'wrong_unit', suggestion: 'EPSG:2263' });
    expect(judged.crs_reason).toBe('The numbers are US survey feet; the claim says metres.');
  });

  test('of editions on other datums that lie within metres, the one on the datum of the claim is named', () => {
    const judged = judgeWkt(lineIn('EPSG:3734', -81.7123, 41.4321), {
      src_crs: 'EPSG:32122',
      tile: around(-81.7103, 41.4341, 0.02),
    });
    expect(judged).toMatchObject({ crs_verdict: 'wrong_unit', suggestion: 'EPSG:3734' });
    expect(judged.candidates[0]?.equivalents).toContain('EPSG:3728');
  });

  test('feet of a grid that has none in the registry are a definition of their own', () => {
    const feet = lineIn('EPSG:27700', -1, 53, ([x, y]) => [x / 0.3048, y / 0.3048]);
    const judged = judgeWkt(feet, { src_crs: 'EPSG:27700', tile: around(-1, 53) });
    expect(judged.crs_verdict).toBe('wrong_unit');
    expect(judged.suggestion).toMatch(/^\+proj=tmerc .*\+units=(us-)?ft/);
  });

  test('the neighbouring zone and the other hemisphere', () => {
    const zone = judgeWkt(lineIn('EPSG:32633', 13.4, 52.5), { src_crs: 'EPSG:32632', tile: around(13.4, 52.5) });
    expect(zone).toMatchObject({ crs_verdict: 'wrong_zone', suggestion: 'EPSG:32633' });
    const south = judgeWkt(lineIn('EPSG:32723', -43.2, -22.9), { src_crs: 'EPSG:32623', tile: around(-43.2, -22.9) });
    expect(south).toMatchObject({ crs_verdict: 'wrong_zone', suggestion: 'EPSG:32723' });
  });

  test('the zone written before the easting, where the claim has none', () => {
    // Pulkovo 1942 zone 7 and CM 39E: 7500000 and 500000.
    const prefixed = judgeWkt(lineIn('EPSG:28407', 39.5, 55), { src_crs: 'EPSG:2503', tile: around(39.5, 55) });
    expect(crs('EPSG:28407').name).toContain('zone 7');
    expect(prefixed.crs_verdict).not.toBe('agrees');
    expect(prefixed.candidates[0]?.place[0]).toBeCloseTo(39.5, 1);
  });

  test('another CRS, which only the tile shows', () => {
    const judged = judgeWkt(lineIn('EPSG:2154', 2.35, 48.86), { src_crs: 'EPSG:3035', tile: around(2.35, 48.86) });
    expect(judged.crs_verdict).not.toBe('agrees');
    expect(judged.candidates[0]).toMatchObject({ in_prior: 1 });
    expect([judged.candidates[0]?.crs, ...(judged.candidates[0]?.equivalents ?? [])]).toContain('EPSG:2154');
  });

  test('siblings that lie right show it too', () => {
    const siblings = { bbox: around(2.35, 48.86), accepted: [{ crs: 'EPSG:2154', swapped: false, count: 40 }] };
    const judged = judgeWkt(lineIn('EPSG:2154', 2.35, 48.86), { src_crs: 'EPSG:4326', siblings });
    expect(judged).toMatchObject({ crs_verdict: 'metres_as_degrees', suggestion: 'EPSG:2154' });
    expect(judged.candidates[0]?.reason).toBe(
      'Other entries of the task lie right in EPSG:2154; lies where others of the task lie.',
    );
  });

  test('far outside the area of use, where nothing better is known', () => {
    const judged = judgeWkt('POINT(5300000 -1800000)', { src_crs: 'EPSG:27700' });
    expect(judged.crs_verdict).toBe('outside_area_of_use');
  });

  test('rows and columns of an image are no places, whatever is claimed; nothing is suggested', () => {
    for (const src_crs of [null, 'EPSG:4326', 'EPSG:32633'])
      expect(judgeWkt('LINESTRING(331 31,495 35,158 24)', { src_crs })).toMatchObject({
        crs_verdict: 'not_geographic',
        candidates: [],
        suggestion: null,
      });
  });

  test.each([
    ['whole metres of a grid', 'POINT(9000 12000)', 'EPSG:27700'],
    ['whole degrees', 'POINT(10 50)', 'EPSG:4326'],
    ['halves', 'LINESTRING(331.5 31,495 35)', null],
  ])('%s are no pixels', (_, wkt, src_crs) => {
    const { crs_verdict, also } = judgeWkt(wkt, { src_crs });
    expect([crs_verdict, ...also]).not.toContain('not_geographic');
  });

  test('a sound place that the target cannot hold', () => {
    const judged = judgeWkt('POINT(-74 40.7)', { src_crs: 'EPSG:4326', target_crs: 'EPSG:32633' });
    expect(judged).toMatchObject({ crs_verdict: 'outside_target_area', suggestion: null });
    expect(judged.crs_reason).toContain('EPSG:32618');
    expect(judgeWkt('POINT(13 52)', { src_crs: 'EPSG:4326', target_crs: 'EPSG:32633' }).crs_verdict).toBe('agrees');
  });

  test('not finite comes first, and the rest is judged by what is finite', () => {
    const bytes = new Uint8Array(9 + 32);
    const view = new DataView(bytes.buffer);
    bytes.set([1, 2, 0, 0, 0, 2, 0, 0, 0]);
    for (const [i, value] of [Number.NaN, 1, 48.2, 9.5].entries()) view.setFloat64(9 + i * 8, value, true);
    const judged = judgeBytes(bytes, { src_crs: 'EPSG:4326', tile: around(9.5, 48.2) });
    expect(judged).toMatchObject({ crs_verdict: 'non_finite', also: ['axis_swapped'], suggestion: 'EPSG:4326' });
  });
});

test('what else holds is listed by precedence', () => {
  const judged = judgeWkt('POINT(48.2 9.5)', { src_crs: 'EPSG:4326', srid: 25832, tile: around(9.5, 48.2) });
  const held = [judged.crs_verdict, ...judged.also];
  expect(held).toEqual(CRS_VERDICTS.filter((verdict) => held.includes(verdict)));
  expect(held).toEqual(['srid_differs_from_claim', 'axis_swapped']);
});
