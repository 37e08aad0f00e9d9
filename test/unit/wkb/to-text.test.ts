import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wkx from 'wkx';
import { ewkbFromGeoJson } from '@/lib/wkb/from-geojson';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { hexFromBytes } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import { geoJsonFromWkb, wktFromWkb } from '@/lib/wkb/to-text';
import { bytesOf, ENCODINGS, FAULTY_NAMES, faultyBytes } from './fixtures';

const BASIC = /^(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\b/;
const basic = ENCODINGS.filter((made) => BASIC.test(made.name));
const others = ENCODINGS.filter((made) => !BASIC.test(made.name));

describe('geometries of types 1 to 7', () => {
  it.each(basic)('$name: WKT and back gives the same bytes, and wkx agrees on every vertex', (made) => {
    for (const hex of [made.ewkb_ndr, made.ewkb_xdr, made.iso_ndr, made.iso_xdr]) {
      const written = wktFromWkb(bytesOf(hex));
      const back = ewkbFromWkt('text' in written ? written.text : '');
      expect('bytes' in back && hexFromBytes(back.bytes)).toBe(made.ewkb_ndr_no_srid);
      const parsed = wkx.Geometry.parse(Buffer.from(hex, 'hex'));
      expect([...readWkb(bytesOf(hex)).coords]).toEqual(vertices(parsed).flat());
    }
  });

  it.each(basic)('$name: GeoJSON and back gives the same x, y and z', (made) => {
    const written = geoJsonFromWkb(bytesOf(made.ewkb_ndr));
    const back = ewkbFromGeoJson(JSON.parse('text' in written ? written.text : 'null'));
    const kept = made.points.map((point) => (made.name.includes(' M') ? point.slice(0, 2) : point.slice(0, 3)));
    expect('bytes' in back && [...readWkb(back.bytes).coords]).toEqual(kept.flat());
    expect('note' in written && written.note).toBe(
      / Z?M/.test(made.name) ? 'GeoJSON has no M: the M values are left out' : null,
    );
  });
});

describe('geometries without text', () => {
  it.each(others)('$name has a reason instead', (made) => {
    expect(wktFromWkb(bytesOf(made.ewkb_ndr))).toMatchObject({ reason: expect.stringContaining('no text for') });
    expect(geoJsonFromWkb(bytesOf(made.iso_xdr))).toMatchObject({ reason: expect.stringContaining('no text for') });
  });

  it('a Triangle, also inside a collection, never reaches wkx, which reads it as a Point', () => {
    const triangle = faultyBytes('triangleWithSrid');
    expect(wkx.Geometry.parse(Buffer.from(triangle)).toWkt()).toMatch(/^POINT/);
    expect(wktFromWkb(triangle)).toEqual({ reason: 'there is no text for Triangle' });
    const inside = Uint8Array.from([1, 7, 0, 0, 0, 1, 0, 0, 0, ...triangle]);
    expect(geoJsonFromWkb(inside)).toEqual({ reason: 'there is no text for Triangle' });
  });

  it.each([
    ['trailingBytes', '7 bytes follow the geometry'],
    ['mixedDimensions', 'a part whose Z and M differ from those of its GeometryCollection'],
    ['lineInMultiPoint', 'a MultiPoint cannot hold a LineString'],
    ['emptyRing', 'a ring has no vertices'],
    ['hugeCount', 'a count of 4294967295 needs at least 68719476720 bytes, 32 left at byte 5'],
    ['badByteOrder', 'byte order 7 is neither 0 nor 1 at byte 0'],
  ] as const)('%s says why', (name, reason) => {
    expect(wktFromWkb(faultyBytes(name))).toEqual({ reason });
    expect(geoJsonFromWkb(faultyBytes(name))).toEqual({ reason });
  });

  it('more vertices than allowed are not written', () => {
    expect(wktFromWkb(faultyBytes('bowtie'), { max_vertices: 4 })).toEqual({ reason: 'more than 4 vertices' });
  });
});

describe('faulty coordinates', () => {
  it('unclosed and short rings are written as they are', () => {
    expect(wktFromWkb(faultyBytes('unclosedRing'))).toEqual({ text: 'POLYGON((0 0,4 0,4 4,0 4))', note: null });
    expect(geoJsonFromWkb(faultyBytes('twoPointRing'))).toEqual({
      text: '{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}',
      note: null,
    });
  });

  it('NaN and Infinity are words in WKT, with a note, and a reason in GeoJSON', () => {
    expect(wktFromWkb(faultyBytes('nanVertex'))).toMatchObject({ text: 'POLYGON((0 0,4 0,NaN 2,4 4,0 4,0 0))' });
    expect(wktFromWkb(faultyBytes('infiniteVertex'))).toMatchObject({ note: expect.stringContaining('words') });
    for (const name of ['nanVertex', 'nanPoint', 'nanHeight', 'infiniteVertex'] as const)
      expect(geoJsonFromWkb(faultyBytes(name))).toEqual({ reason: 'GeoJSON has no NaN and no Infinity' });
  });
});

describe('any bytes', () => {
  const changed = fc
    .tuple(fc.constantFrom(...basic), fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }))
    .map(([made, changes]) => {
      const bytes = bytesOf(made.ewkb_ndr);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return bytes;
    });

  it('give valid text or a reason, never an exception, and WKT keeps every vertex', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed), (bytes) => {
        const geojson = geoJsonFromWkb(bytes);
        if ('text' in geojson) expect(geojson.text).not.toMatch(/NaN|null|Infinity/);
        const wkt = wktFromWkb(bytes);
        if (!('text' in wkt)) return;
        const back = ewkbFromWkt(wkt.text);
        expect('bytes' in back && [...readWkb(back.bytes).coords].map(unsigned)).toEqual(
          [...readWkb(bytes).coords].map(unsigned),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('every named fixture gives text or a reason', () => {
    for (const name of FAULTY_NAMES) expect(Object.keys(wktFromWkb(faultyBytes(name)))[0]).toMatch(/^(text|reason)$/);
  });
});

/** WKT has no negative zero as wkx writes it. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}

/** The vertices of a wkx geometry in the order of the bytes. */
function vertices(geometry: wkx.Geometry): number[][] {
  const point = (p: wkx.Point) => [p.x, p.y, ...(geometry.hasZ ? [p.z] : []), ...(geometry.hasM ? [p.m] : [])];
  if (geometry instanceof wkx.Point) return [point(geometry)];
  if (geometry instanceof wkx.LineString) return geometry.points.map(point);
  if (geometry instanceof wkx.Polygon)
    return [geometry.exteriorRing, ...geometry.interiorRings].flatMap((ring) => ring.map(point));
  if (geometry instanceof wkx.MultiPoint) return geometry.points.map(point);
  if (geometry instanceof wkx.MultiLineString) return geometry.lineStrings.flatMap(vertices);
  if (geometry instanceof wkx.MultiPolygon) return geometry.polygons.flatMap(vertices);
  return geometry instanceof wkx.GeometryCollection ? geometry.geometries.flatMap(vertices) : [];
}
