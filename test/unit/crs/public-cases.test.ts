import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLonLat } from '@/lib/crs/place';
import { type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { bytesFromHex } from '@/lib/wkb/hex';
import { judgeBytes, judgeWkt } from './judge-numbers-of';

interface PublicCase {
  id: string;
  src_crs: string | null;
  target_crs?: string;
  wkt?: string;
  wkb_hex?: string;
}
const file = path.join(import.meta.dirname, '../../fixtures/cases/public-reports.jsonl');
const cases = new Map(
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as PublicCase)
    .map((one) => [one.id, one]),
);

function judged(id: string) {
  const { src_crs, target_crs = null, wkt, wkb_hex } = cases.get(id) as PublicCase;
  const given = { src_crs, target_crs };
  return wkt ? judgeWkt(wkt, given) : judgeBytes(bytesFromHex(wkb_hex as string) as Uint8Array, given);
}

describe('pyproj-1144: latitude before longitude', () => {
  test('the axes are swapped', () => {
    const found = judged('pyproj-1144');
    expect(found).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:4326' });
    expect(found.candidates[0]).toMatchObject({ swapped: true, x_sign: 1, y_sign: 1, place: [140, -35] });
  });

  test('anywhere with a longitude beyond 90°, and anywhere that the target tells where it should lie', () => {
    const beyond = fc.tuple(
      fc.double({ min: 91, max: 179, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(beyond, fc.boolean(), ([lon, lat], west) => {
        const found = judgeWkt(`POINT(${lat} ${west ? -lon : lon})`, { src_crs: 'EPSG:4326' });
        expect(found.crs_verdict).toBe('axis_swapped');
      }),
      { numRuns: 40 },
    );
    const in_france = fc.tuple(
      fc.double({ min: 2, max: 6, noNaN: true }),
      fc.double({ min: 44, max: 49, noNaN: true }),
    );
    fc.assert(
      fc.property(in_france, ([lon, lat]) => {
        const found = judgeWkt(`POINT(${lat} ${lon})`, { src_crs: 'EPSG:4326', target_crs: 'EPSG:2154' });
        expect(found).toMatchObject({ crs_verdict: 'axis_swapped', suggestion: 'EPSG:4326' });
      }),
      { numRuns: 40 },
    );
  });
});

describe('geopandas-798: a target that cannot hold the place', () => {
  test('the target is at fault, and the one a digit away is named', () => {
    const found = judged('geopandas-798');
    expect(found).toMatchObject({ crs_verdict: 'outside_target_area', candidates: [], suggestion: null });
    expect(found.crs_reason).toContain('EPSG:3854');
    expect(found.crs_reason).toContain('EPSG:3857');
  });

  test('anywhere far from Stockholm', () => {
    const far = fc.tuple(fc.double({ min: 60, max: 170, noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true }));
    fc.assert(
      fc.property(far, ([lon, lat]) => {
        const found = judgeWkt(`POINT(${lon} ${lat})`, { src_crs: 'EPSG:4326', target_crs: 'EPSG:3854' });
        expect(found.crs_verdict).toBe('outside_target_area');
      }),
      { numRuns: 40 },
    );
  });
});

describe('pyproj-235: a deprecated code of another meridian', () => {
  test('the replacement is named, with where it puts the point', () => {
    const found = judged('pyproj-235');
    expect(found).toMatchObject({ crs_verdict: 'deprecated', suggestion: 'EPSG:3004' });
    expect(found.candidates[0]?.place[0]).toBeCloseTo(13.7595, 2);
    expect(found.candidates[0]?.place[1]).toBeCloseTo(45.6472, 2);
    expect(found.crs_reason).toMatch(
      /^EPSG:26592 is deprecated; its replacement EPSG:3004 puts the numbers at 13\.7\d+E 45\.6\d+N\.$/,
    );
  });

  test('anywhere in its zone', () => {
    const place = fc.tuple(
      fc.double({ min: 12.5, max: 17.5, noNaN: true }),
      fc.double({ min: 38, max: 46, noNaN: true }),
    );
    fc.assert(
      fc.property(place, ([lon, lat]) => {
        const [x, y] = fromLonLat(crsOf('EPSG:3004') as CrsRecord, lon, lat) as [number, number];
        const found = judgeWkt(`POINT(${x} ${y})`, { src_crs: 'EPSG:26592' });
        expect(found).toMatchObject({ crs_verdict: 'deprecated', suggestion: 'EPSG:3004' });
      }),
      { numRuns: 40 },
    );
  });
});

describe('mmdetection-1745: pixels', () => {
  test('no place, and no CRS is suggested', () => {
    expect(judged('mmdetection-1745')).toMatchObject({
      crs_verdict: 'not_geographic',
      candidates: [],
      suggestion: null,
    });
  });

  test('any outline in an image', () => {
    const vertex = fc.tuple(fc.integer({ min: 0, max: 8000 }), fc.integer({ min: 0, max: 8000 }));
    fc.assert(
      fc.property(fc.array(vertex, { minLength: 2, maxLength: 30 }), (vertices) => {
        const points = [...vertices, [400, 300]].map((vertex) => vertex.join(' '));
        const found = judgeWkt(`LINESTRING(${points.join(',')})`);
        expect(found).toMatchObject({ crs_verdict: 'not_geographic', suggestion: null });
      }),
      { numRuns: 40 },
    );
  });
});

describe('gdal-3542: not a number', () => {
  test('nothing is placed, nothing is suggested', () => {
    expect(judged('gdal-3542')).toMatchObject({ crs_verdict: 'non_finite', candidates: [], suggestion: null });
  });

  test('any point with a coordinate that is not finite, under any claim', () => {
    const broken = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
    fc.assert(
      fc.property(
        broken,
        fc.double(),
        fc.boolean(),
        fc.constantFrom(null, 'EPSG:4326', 'EPSG:27700', 'EPSG:99999'),
        (bad, other, first, src_crs) => {
          const bytes = new Uint8Array(21);
          bytes.set([1, 1, 0, 0, 0]);
          const view = new DataView(bytes.buffer);
          view.setFloat64(5, first ? bad : other, true);
          view.setFloat64(13, first ? other : bad, true);
          expect(judgeBytes(bytes, { src_crs })).toMatchObject({ crs_verdict: 'non_finite', suggestion: null });
        },
      ),
      { numRuns: 40 },
    );
  });
});
