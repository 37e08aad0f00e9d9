import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ewkbFromGeoJson } from '@/lib/wkb/from-geojson';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import type { GeometryBytes } from '@/lib/wkb/geometry-tree';
import { bytesFromHex, hexFromBytes } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import faulty from '@/test/fixtures/geometries/faulty.json';
import { ENCODINGS } from './fixtures';

function hexOf(made: GeometryBytes): string {
  return 'error' in made ? `${made.error.at}: ${made.error.message}` : hexFromBytes(made.bytes);
}

function errorOf(made: GeometryBytes): string {
  return 'error' in made ? `${made.error.code} at ${made.error.at}: ${made.error.message}` : 'no error';
}

describe('WKT', () => {
  it.each(ENCODINGS)('$wkt becomes the bytes that PostGIS makes of it', ({ wkt, ewkb_ndr, ewkb_ndr_no_srid }) => {
    expect(hexOf(ewkbFromWkt(wkt))).toBe(ewkb_ndr_no_srid);
    expect(hexOf(ewkbFromWkt(`SRID=4326;${wkt}`))).toBe(ewkb_ndr);
    expect(hexOf(ewkbFromWkt(wkt.toLowerCase(), 4326))).toBe(ewkb_ndr);
  });

  it('keeps unclosed and short rings as they are', () => {
    expect(hexOf(ewkbFromWkt('POLYGON((0 0,4 0,4 4,0 4))', 4326))).toBe(faulty.unclosedRing);
    expect(hexOf(ewkbFromWkt('POLYGON((0 0,1 1))', 4326))).toBe(faulty.twoPointRing);
    expect(hexOf(ewkbFromWkt('POLYGON(EMPTY)', 4326))).toBe(faulty.emptyRing);
  });

  it('reads NaN and infinity as Python, C and Visual C print them', () => {
    expect(hexOf(ewkbFromWkt('POLYGON((0 0,4 0,nan 2,4 4,0 4,0 0))', 4326))).toBe(faulty.nanVertex);
    for (const nan of ['NaN', '-nan', '1.#QNAN', '-1.#IND', '-nan(ind)'])
      expect(hexOf(ewkbFromWkt(`POINT(${nan} ${nan})`))).toBe(faulty.nanPoint);
    for (const inf of ['Inf', 'infinity', '+INF', '1.#INF'])
      expect(hexOf(ewkbFromWkt(`LINESTRING(0 0,${inf} 1,2 -${inf.replace('+', '')})`, 4326))).toBe(
        faulty.infiniteVertex,
      );
  });

  it('takes Z and M from the numbers, from a glued word and from a member', () => {
    const z = hexOf(ewkbFromWkt('POINT Z (1 2 3)'));
    expect(z).toBe('0101000080000000000000f03f00000000000000400000000000000840');
    for (const text of ['POINT(1 2 3)', 'PointZ(1 2 3)', '\n POINT  Z(1 2 3) ;\0'])
      expect(hexOf(ewkbFromWkt(text))).toBe(z);
    expect(hexOf(ewkbFromWkt('POINT(1 2 3 4)'))).toBe(hexOf(ewkbFromWkt('POINT ZM(1 2 3 4)')));
    expect(hexOf(ewkbFromWkt('GEOMETRYCOLLECTION(POINT Z(1 2 3))'))).toBe(
      hexOf(ewkbFromWkt('GEOMETRYCOLLECTION Z(POINT Z(1 2 3))')),
    );
  });

  it('reads both spellings of a MULTIPOINT, with empty members', () => {
    expect(hexOf(ewkbFromWkt('MULTIPOINT(1 2,3 4)'))).toBe(hexOf(ewkbFromWkt('MULTIPOINT((1 2),(3 4))')));
    const made = ewkbFromWkt('MULTIPOINT((1 2),EMPTY)');
    expect('bytes' in made && [...readWkb(made.bytes).coords]).toEqual([1, 2, NaN, NaN]);
  });

  it('keeps the bits of a negative SRID, and the SRID of the text wins', () => {
    expect(ewkbFromWkt('SRID=-5;POINT(1 2)', 4326)).toMatchObject({ srid: 4_294_967_291 });
    expect(hexOf(ewkbFromWkt('SRID=-5;POINT(1 2)'))).toBe(faulty.negativeSrid);
  });

  it.each([
    ['', 'not_a_geometry at 0: a geometry type is missing'],
    ['POINT', 'not_a_geometry at 5: ( is missing'],
    ['POINT(1)', 'not_a_geometry at 7: a position needs 2 to 4 numbers, this has 1'],
    ['POINT(1 2 3 4 5)', 'a position needs 2 to 4 numbers, this has more'],
    ['POINT(a b)', 'not_a_geometry at 6: a position needs 2 to 4 numbers, this has 0'],
    ['POINT(1 2) junk', 'not_a_geometry at 11: text follows the geometry'],
    ['LINESTRING(0 0,1 1 1)', 'a position of 3 numbers among positions of 2'],
    ['POINT M (1 2)', 'a position of 2 numbers among positions of 3'],
    ['CIRCLE(0 0,1)', 'CIRCLE is not a geometry type'],
    ['SRID=99999999999;POINT(1 2)', 'does not fit 32 bits'],
    [`${'GEOMETRYCOLLECTION('.repeat(70)}POINT(1 2)${')'.repeat(70)}`, 'nesting_too_deep'],
  ])('%s is refused with its place', (text, says) => {
    expect(errorOf(ewkbFromWkt(text))).toContain(says);
  });

  it('any text gives bytes or an error, never an exception', () => {
    const token = fc.constantFrom(
      'POINT',
      'POLYGON',
      ' Z',
      ' M',
      '(',
      ')',
      ',',
      '1 2',
      'nan',
      '1.#INF',
      'EMPTY',
      'SRID=1;',
      'x',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(token, { maxLength: 20 }).map((tokens) => tokens.join('')),
    );
    fc.assert(
      fc.property(text, (wkt) => {
        const made = ewkbFromWkt(wkt);
        if ('bytes' in made) expect(readWkb(made.bytes).error).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });
});

describe('GeoJSON', () => {
  const sevenTypes = ENCODINGS.filter((made) => /^(MULTI)?(POINT|LINESTRING|POLYGON)( Z)?$/.test(made.name));

  it.each(sevenTypes)('the coordinates of $wkt become the bytes that PostGIS makes', ({ type, wkt, ewkb_ndr }) => {
    const nested = wkt
      .slice(wkt.indexOf('('))
      .replace(/[^(),]+/g, (numbers) => `[${numbers.trim().split(' ').join(',')}]`);
    const coordinates: unknown = JSON.parse(nested.replaceAll('(', '[').replaceAll(')', ']'));
    const depth = { POINT: 1, MULTIPOINT: 2 }[type];
    const flat =
      depth === 1 ? (coordinates as unknown[])[0] : depth === 2 ? (coordinates as unknown[][]).flat() : coordinates;
    const names: Record<string, string> = { POINT: 'Point', LINESTRING: 'LineString', POLYGON: 'Polygon' };
    const name = type.replace('MULTI', 'Multi').replace(/POINT|LINESTRING|POLYGON/, (word) => names[word] ?? word);
    expect(hexOf(ewkbFromGeoJson({ type: name, coordinates: flat }, 4326))).toBe(ewkb_ndr);
  });

  it('keeps unclosed, short and empty rings', () => {
    const polygon = (...coordinates: number[][][]) => hexOf(ewkbFromGeoJson({ type: 'Polygon', coordinates }, 4326));
    expect(
      polygon([
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ]),
    ).toBe(faulty.unclosedRing);
    expect(
      polygon([
        [0, 0],
        [1, 1],
      ]),
    ).toBe(faulty.twoPointRing);
    expect(polygon([])).toBe(faulty.emptyRing);
  });

  it('writes empty arrays as empty geometries', () => {
    expect(hexOf(ewkbFromGeoJson({ type: 'Point', coordinates: [] }))).toBe(faulty.nanPoint);
    expect(hexOf(ewkbFromGeoJson({ type: 'Polygon', coordinates: [] }))).toBe('010300000000000000');
    expect(hexOf(ewkbFromGeoJson({ type: 'GeometryCollection', geometries: [] }))).toBe('010700000000000000');
  });

  it('reads null as the NaN that it was, and a missing height as NaN', () => {
    const nan_ring = [
      [0, 0],
      [4, 0],
      [null, 2],
      [4, 4],
      [0, 4],
      [0, 0],
    ];
    expect(hexOf(ewkbFromGeoJson({ type: 'Polygon', coordinates: [nan_ring] }, 4326))).toBe(faulty.nanVertex);
    expect(
      hexOf(
        ewkbFromGeoJson(
          {
            type: 'LineString',
            coordinates: [
              [0, 0, 1],
              [1, 1],
            ],
          },
          4326,
        ),
      ),
    ).toBe(faulty.nanHeight);
  });

  it('writes nested collections with the same dimensions in every part', () => {
    const point = { type: 'Point', coordinates: [1, 2] };
    const line = {
      type: 'LineString',
      coordinates: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    };
    const inner = { type: 'GeometryCollection', geometries: [line] };
    const made = ewkbFromGeoJson({ type: 'GeometryCollection', geometries: [point, inner] });
    const reading = readWkb('bytes' in made ? made.bytes : new Uint8Array());
    expect([...reading.coords]).toEqual([1, 2, NaN, 1, 2, 3, 4, 5, 6]);
    expect(reading.finding_counts.unknown_type).toBeUndefined();
  });

  it.each([
    [null, '$: null is not a geometry object'],
    ['POINT(1 2)', '$: string is not a geometry object'],
    [[], '$: object is not a geometry object'],
    [{ type: 'Feature', geometry: null }, '$: type "Feature" is not one of Point'],
    [{ type: 'constructor', coordinates: [] }, '$: type "constructor" is not one of'],
    [{ type: 'Point' }, '$.coordinates: an array is missing here'],
    [{ type: 'Point', coordinates: [1] }, '$.coordinates: a position of 1 values'],
    [{ type: 'Point', coordinates: [1, 2, 3, 4, 5] }, '$.coordinates: a position of 5 values'],
    [{ type: 'Point', coordinates: ['1', 2] }, '$.coordinates: "1" is not a number'],
    [{ type: 'LineString', coordinates: [[1, 2], 3] }, '$.coordinates[1]: an array is missing here'],
    [{ type: 'Polygon', coordinates: [[1, 2]] }, '$.coordinates[0][0]: an array is missing here'],
    [{ type: 'MultiPolygon', coordinates: [[[[[1, 2]]]]] }, '$.coordinates[0][0][0]: a position of 1 values'],
    [{ type: 'GeometryCollection', geometries: [{ type: 'Point' }] }, '$.geometries[0].coordinates: an array'],
  ])('%j is refused with its place', (value, says) => {
    expect(errorOf(ewkbFromGeoJson(value))).toContain(`not_a_geometry at ${says}`);
  });

  it('collections nested 10,000 deep are refused without using up the stack', () => {
    let value: unknown = { type: 'Point', coordinates: [1, 2] };
    for (let i = 0; i < 10_000; i++) value = { type: 'GeometryCollection', geometries: [value] };
    expect(errorOf(ewkbFromGeoJson(value))).toContain('nesting_too_deep');
  });

  it('any value gives bytes or an error, never an exception', () => {
    const name = fc.constantFrom('Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiPolygon', 'GeometryCollection');
    const nested = fc.letrec((tie) => ({
      array: fc.array(fc.oneof({ maxDepth: 5 }, fc.double(), fc.constant(null), tie('array')), { maxLength: 4 }),
    })).array;
    const value = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true }),
      fc.record({ type: name, coordinates: nested, geometries: nested }),
    );
    fc.assert(
      fc.property(value, (geojson) => {
        const made = ewkbFromGeoJson(geojson, 4326);
        if ('bytes' in made) expect(readWkb(made.bytes)).toMatchObject({ error: null, srid: 4326 });
      }),
      { numRuns: 3000 },
    );
  });
});

describe('hex', () => {
  it('goes round for any bytes, in either case, with the prefixes of PostgreSQL and C', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = hexFromBytes(bytes);
        for (const text of [hex, hex.toUpperCase(), `\\x${hex}`, `0x${hex}`]) expect(bytesFromHex(text)).toEqual(bytes);
      }),
    );
  });

  it('is refused where a digit is missing or wrong', () => {
    for (const text of ['0', '0g', 'zz', '\\x1', '0 1', '__']) expect(bytesFromHex(text)).toBeNull();
  });
});
