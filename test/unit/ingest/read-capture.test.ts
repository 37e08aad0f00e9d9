import { describe, expect, test } from 'vitest';
import { DlqError } from '@/lib/contract/error';
import { nearestName } from '@/lib/dead-letter/nearest-name';
import { readCapture } from '@/lib/ingest/read-capture';

function read(members: string): { p: Record<string, unknown>; wkb: Uint8Array | null } {
  const { p, wkb } = readCapture(`{"work_key":"k","task_name":"t"${members ? `,${members}` : ''}}`, { via: 'test' });
  return { p: JSON.parse(p) as Record<string, unknown>, wkb };
}

function refusal(text: string): string {
  try {
    readCapture(text, { via: 'test' });
  } catch (error) {
    if (error instanceof DlqError) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

describe('a capture that is refused', () => {
  test.each([
    [
      'a misspelt member, with the one that was meant',
      '{"work_key":"k","task_name":"t","src_csr":"x"}',
      /src_csr.*src_crs/,
    ],
    ['camel case, with the name in snake case', '{"workKey":"k"}', /workKey.*work_key/],
    [
      'a member that is none of ours, with the place for it',
      '{"work_key":"k","tenant_label":1}',
      /tenant_label.*params/,
    ],
    ['a missing key', '{"task_name":"t"}', /work_key is missing/],
    [
      'a value of the wrong type, which it shows cut',
      `{"work_key":"k","task_name":"t","srid":"${'9'.repeat(99)}"}`,
      /srid: must be a number, like 4326; it is “9{60}…” with 99 characters \(work_key “k”\)$/,
    ],
    ['a number that no column holds', '{"work_key":"k","task_name":"t","tile_x":99999999999}', /tile_x.*99999999999/],
    ['a moment that is none', '{"work_key":"k","task_name":"t","failed_at":"0000-01-01T00:00:00Z"}', /failed_at/],
    [
      'a zone that PostgreSQL does not know',
      '{"work_key":"k","task_name":"t","failed_at":"2026-01-01T00:00:00+23:00"}',
      /failed_at/,
    ],
    [
      'two geometries',
      '{"work_key":"k","task_name":"t","geom_wkb":"00","geom_wkt":"POINT(1 2)"}',
      /geom_wkb and geom_wkt/,
    ],
    ['a member given twice', '{"work_key":"k","task_name":"t","work_key":"l"}', /work_key.*twice/],
    ['an empty key', '{"work_key":"","task_name":"t"}', /^work_key: must not be empty, like "parcels.*"; it is “”$/],
    [
      'a key over its limit, with its length',
      `{"work_key":"${'k'.repeat(2500)}","task_name":"t"}`,
      /^work_key: must have at most 2,000 characters, like .*; it is “k{60}…” with 2,500 characters$/,
    ],
    [
      'a word where a moment belongs, and a right one',
      '{"work_key":"k","task_name":"t","failed_at":"yesterday"}',
      /^failed_at: must be a moment .*like 2026-11-30T13:00:00Z; it is “yesterday” \(work_key “k”\)$/,
    ],
    [
      'one of several kinds',
      '{"work_key":"k","task_name":"t","nodata":[]}',
      /nodata: must be a text or a number; it is an array/,
    ],
    [
      'a member within a member',
      '{"work_key":"k","task_name":"t","source_window":{"col_off":0,"row_off":0,"width":512}}',
      /^source_window.height: must be a number.*; it is missing/,
    ],
    ['a list', '[]', /one JSON object, not an array.*x-ndjson/],
    ['a number', '5', /JSON object like \{.*\}, not a number/],
    ['no JSON', 'nope', /not JSON/],
    ['__proto__', '{"work_key":"k","task_name":"t","__proto__":{"sensitive":true}}', /__proto__/],
  ])('names %s', (_, text, expected) => expect(refusal(text)).toMatch(expected));

  test('shows nothing of a payload', () => {
    const text = refusal('{"work_key":"k","task_name":"t","payload_ref":"POINT(-81.69 41.5)"}');
    expect(text).toMatch(/^payload_ref: must be of the form/);
    expect(text).not.toContain('81.69');
    for (const broken of [
      'POINT(-81.69 41.5)',
      '{"geom_wkt":"POINT(-81.69 41.5)",}',
      '{"a":NaN,"geom_wkt":"POINT(-81.69 41.5)"}',
    ])
      expect(refusal(broken)).toMatch(/^not JSON: (?!.*81\.69).*double quotes/);
    expect(refusal('{"work_key":"k","task_')).toBe('not JSON: its end is missing; send the text whole');
  });

  test('a list in a file is not told to be sent with a content type', () => {
    expect(() => readCapture('[1]', { via: 'spool' })).toThrow(/on a line of its own, without \[ \] and commas$/);
  });

  test('no name is suggested where none is near', () =>
    expect(nearestName('zzzzzzzzzz', ['work_key', 'srid'])).toBeNull());
});

describe('a capture that is taken', () => {
  test('keeps the claimed CRS verbatim, whatever it is', () => {
    expect(read('"src_crs":" EPSG:4326 "').p.src_crs).toBe(' EPSG:4326 ');
    expect(read('"src_crs":27700').p.src_crs).toBe('27700');
    expect(read('"src_crs":{"type": "GeographicCRS", "id":{"code":4326}}').p.src_crs).toBe(
      '{"type": "GeographicCRS", "id":{"code":4326}}',
    );
    expect(read('"src_crs":["EPSG",27700.0]').p.src_crs).toBe('["EPSG",27700.0]');
    expect(read('"src_crs":null').p.src_crs).toBeNull();
  });

  test('keeps a nodata value as it was written', () =>
    expect(read('"nodata":-3.4028234663852886e+38').p.nodata).toBe('-3.4028234663852886e+38'));

  test('takes any word as failure class, and leaves an error class that is none to the default', () => {
    const { p } = read(`"failure_class":"${'flood '.repeat(100)}","error_class":"sometimes"`);
    expect(p.failure_class).toBe('flood '.repeat(100));
    expect(p.error_class).toBeNull();
  });

  test('shows NUL and half a surrogate pair as what text can hold', () => {
    const { p } = read('"error_text":"a\\u0000b\\ud83dc"');
    expect(p.error_text).toBe('a␀b�c');
  });

  test('keeps params that jsonb holds as their text, big integers whole', () => {
    const proposal = readCapture('{"work_key":"k","task_name":"t","params":{"id": 123456789012345678901234567890}}', {
      via: 'http',
    });
    expect(proposal.p).toContain('"params":{"id": 123456789012345678901234567890}');
    expect(JSON.parse(proposal.p)).not.toHaveProperty('params_raw');
  });

  test('keeps other params as bytes, with what can be searched beside them', () => {
    const { p } = read('"params":{"a":"x\\u0000y","b":-0}');
    expect(Buffer.from(String(p.params_raw), 'base64').toString()).toBe('{"a":"x\\u0000y","b":-0}');
    expect(p.params).toEqual({ a: 'x�y', b: -0 });
  });

  test('cuts a very long traceback in the middle and says so', () => {
    const { p } = read(`"traceback":"begin${'x'.repeat(100_000)}end"`);
    expect(String(p.traceback)).toMatch(/^begin/);
    expect(String(p.traceback)).toMatch(/characters left out/);
    expect(String(p.traceback)).toMatch(/end$/);
  });

  test('keeps GeoJSON text exactly and makes its bytes', () => {
    const given = '{"type":"Point", "coordinates":[1.0, 2.50]}';
    const { p, wkb } = read(`"geom_geojson":${given}`);
    expect(p.geom_given).toBe(given);
    expect(p.geom_format).toBe('geojson');
    expect(Buffer.from(wkb ?? []).readDoubleLE(13)).toBe(2.5);
  });

  test('keeps a geometry that cannot be read as text with the reason', () => {
    expect(read('"geom_wkb":"not hex"').p).toMatchObject({ geom_given: 'not hex', geom_format: 'wkb' });
    expect(read('"geom_wkt":"POINT(1"').p).toMatchObject({ geom_given: 'POINT(1', geom_format: 'wkt' });
    expect(read('"geom_geojson":{"type":"Feature"}').p).toMatchObject({ geom_given: '{"type":"Feature"}' });
    expect(read('"geom_geojson":{"type":"Feature"}').p.geom_error).toEqual(expect.stringContaining('Feature'));
  });
});
