import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captureLine, captureParts, captureText } from '@/lib/capture/capture-line';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { sha256Of } from '@/test/support/sha256-of';

const options = { url: 'http://127.0.0.1:1', code_version: '1' };
const partsOf = (payload: unknown) => captureParts(new Error('x'), payload, options, 't');
const lineOf = (payload: unknown) => JSON.parse(captureLine(new Error('x'), payload, options, 't').line);

describe('the parts of a capture', () => {
  test('any payload whatever gives one line of JSON that names the work', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withTypedArray: true, withMap: true }), (payload) => {
        const { line, capture_id } = captureLine(new Error('x'), payload, options, 't');
        expect(line).not.toMatch(/[\n\r]/);
        const read = JSON.parse(line);
        expect(read.capture_id).toBe(capture_id);
        expect(read.work_key).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('the bytes of a geometry are those that were given, in the line and as a blob', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), (bytes, offset) => {
        const within = new Uint8Array(offset + bytes.length + 3);
        within.set(bytes, offset);
        const geometry = within.subarray(offset, offset + bytes.length);
        expect(Buffer.from(lineOf({ work_key: 'k', geometry }).geom_wkb, 'hex').equals(bytes)).toBe(true);
        expect(Buffer.from(partsOf({ work_key: 'k', geometry }).geometry?.bytes() ?? []).equals(bytes)).toBe(true);
      }),
    );
  });

  test('hex text as PostGIS answers it is bytes; other text is WKT', () => {
    expect(lineOf({ geometry: '0101000020E6100000' }).geom_wkb).toBe('0101000020e6100000');
    expect(lineOf({ geometry: '010' }).geom_wkt).toBe('010');
    expect(lineOf({ geometry: 'POINT(1 2)' }).geom_wkt).toBe('POINT(1 2)');
  });

  test('a geometry over the size rule is taken apart: its bytes as they were, and a text that names them', () => {
    const geometry = new Uint8Array(SIZE_RULE_BYTES + 1).fill(7);
    const parts = partsOf({ work_key: 'k', geometry, params: { a: 1 } });
    geometry.fill(0);
    expect(parts.geometry).toMatchObject({ geom_format: 'wkb', size_bytes: SIZE_RULE_BYTES + 1 });
    const bytes = parts.geometry?.bytes() ?? new Uint8Array();
    expect(bytes.every((byte) => byte === 7)).toBe(true);
    const sha256 = sha256Of(bytes);
    const text = captureText(parts, sha256);
    expect(text.length).toBeLessThan(5000);
    expect(JSON.parse(text)).toMatchObject({
      work_key: 'k',
      payload_ref: `sha256:${sha256}`,
      geom_format: 'wkb',
      params: { a: 1 },
    });
    expect(JSON.parse(text)).not.toHaveProperty('geom_wkb');
    expect(JSON.parse(captureText(parts)).geom_wkb).toHaveLength(2 * (SIZE_RULE_BYTES + 1));
  });

  test('a GeoJSON geometry of 340,000 vertices is kept whole', () => {
    const coordinates = Array.from({ length: 340_000 }, (_, i) => [i / 7, 1 - i / 11]);
    const parts = partsOf({ work_key: 'k', geometry: { type: 'LineString', coordinates } });
    expect(parts.geometry?.replaced).toEqual({});
    const text = Buffer.from(parts.geometry?.bytes() ?? []).toString();
    expect(text === JSON.stringify({ type: 'LineString', coordinates })).toBe(true);
  });

  test('a reference that the payload gives stands where there is no geometry; beside one it is kept in the params', () => {
    const payload_ref = `sha256:${'0'.repeat(64)}`;
    expect(lineOf({ payload_ref })).toMatchObject({ payload_ref });
    const small = lineOf({ payload_ref, geometry: 'POINT(1 2)' });
    expect(small).toMatchObject({ geom_wkt: 'POINT(1 2)', params: { $unfit: { payload_ref } } });
    expect(small).not.toHaveProperty('payload_ref');
    const parts = partsOf({ payload_ref, geometry: new Uint8Array(SIZE_RULE_BYTES + 1) });
    const read = JSON.parse(captureText(parts, 'f'.repeat(64)));
    expect(read.payload_ref).toBe(`sha256:${'f'.repeat(64)}`);
    expect(read.params.$unfit).toEqual({ payload_ref });
  });

  test('the same work without a key of its own gets the same key, whatever its size', () => {
    for (const size of [5, SIZE_RULE_BYTES + 1]) {
      const keys = [1, 1, 2].map((byte) => partsOf({ geometry: new Uint8Array(size).fill(byte) }).work_key);
      expect(keys[0]).toMatch(/^t\/unkeyed\/[0-9a-f]{32}$/);
      expect(keys[1]).toBe(keys[0]);
      expect(keys[2]).not.toBe(keys[0]);
    }
  });

  test('a payload that is made by an async function is named, and its failure troubles nobody', () => {
    const payload = async () => {
      throw new Error('later');
    };
    expect(lineOf(payload).params).toEqual({ $unfit: { payload_error: 'the payload function gave a promise' } });
  });
});
