import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWkb } from '@/lib/wkb/read-wkb';
import { expectConsistent } from './consistent';
import { bytesOf, ENCODINGS, FAULTY_NAMES, faultyBytes } from './fixtures';

const anyEncoding = fc.constantFrom(...ENCODINGS.flatMap((made) => [made.ewkb_ndr, made.ewkb_xdr, made.iso_ndr]));

describe('any bytes at all', () => {
  it('arbitrary bytes never throw and give a consistent reading', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void expectConsistent(bytes)),
      { numRuns: 2000 },
    );
  });

  it('arbitrary bytes behind a valid header never throw', () => {
    const header = fc.tuple(
      fc.constantFrom(0, 1),
      fc.integer({ min: 1, max: 17 }),
      fc.constantFrom(0, 0x20, 0x80, 0xe0),
    );
    const bytes = fc.tuple(header, fc.uint8Array({ maxLength: 300 })).map(([[order, type, flags], rest]) => {
      const word = order === 1 ? [type, 0, 0, flags] : [flags, 0, 0, type];
      return Uint8Array.from([order, ...word, ...rest]);
    });
    fc.assert(
      fc.property(bytes, (made) => void expectConsistent(made)),
      { numRuns: 2000 },
    );
  });

  it('valid bytes with a few changed ones never throw', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyEncoding, changes, (hex, list) => {
        const bytes = bytesOf(hex);
        for (const [at, value] of list) bytes[at % bytes.length] = value;
        expectConsistent(bytes);
      }),
      { numRuns: 3000 },
    );
  });

  it('every named fixture gives a consistent reading', () => {
    for (const name of FAULTY_NAMES) expectConsistent(faultyBytes(name));
  });

  it('bytes in the middle of a larger buffer are read as if alone', () => {
    const inner = faultyBytes('nanVertex');
    const outer = new Uint8Array(inner.length + 20);
    outer.set(inner, 3);
    expect(readWkb(outer.subarray(3, 3 + inner.length))).toEqual(readWkb(inner));
  });
});

describe('truncation', () => {
  it('a cut ring is not also called unclosed', () => {
    const bytes = faultyBytes('bowtie');
    const reading = readWkb(bytes.subarray(0, bytes.length - 8));
    expect(reading.findings).toEqual([]);
    expect(reading.cut_part).toBe(1);
    expect(reading.vertex_count).toBe(4);
  });
});

describe('bombs', () => {
  it('a huge count is truncated at the count, and the vertices that are there are read', () => {
    const line = readWkb(faultyBytes('hugeCount'));
    expect(line.error).toMatchObject({ code: 'truncated', offset: 5 });
    expect([...line.coords]).toEqual([1, 2, 3, 4]);
    expect(readWkb(faultyBytes('hugeRingCount'))).toMatchObject({
      vertex_count: 5,
      error: { code: 'truncated', offset: 5 },
    });
    expect(readWkb(faultyBytes('hugePartCount'))).toMatchObject({
      vertex_count: 1,
      error: { code: 'truncated', offset: 5 },
    });
  });

  it('100,000 nested collections stop at depth 64', () => {
    const level = [1, 7, 0, 0, 0, 1, 0, 0, 0];
    const bytes = new Uint8Array(level.length * 100_000);
    for (let at = 0; at < bytes.length; at += level.length) bytes.set(level, at);
    const reading = readWkb(bytes);
    expect(reading.error).toMatchObject({ code: 'nesting_too_deep', offset: 65 * 9 });
    expect(reading.part_count).toBe(65);
    expect(readWkb(bytes, { max_depth: 1e9 }).error?.code).toBe('nesting_too_deep');
  });

  it('16 MB of empty lines are capped within twice the input, in two seconds at the worst', () => {
    const count = 1_860_000;
    const bytes = new Uint8Array(9 + count * 9);
    new DataView(bytes.buffer).setUint32(5, count, true);
    bytes.set([1, 7, 0, 0, 0]);
    for (let at = 9; at < bytes.length; at += 9) bytes.set([1, 2, 0, 0, 0], at);
    const before = process.cpuUsage();
    const reading = readWkb(bytes);
    const { user, system } = process.cpuUsage(before);
    expect(reading.error?.code).toBe('capped');
    expect(reading.parts.byteLength + reading.coords.byteLength).toBeLessThanOrEqual(2 * bytes.length + 65_536);
    // 200 ms on a quiet core.
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('a MultiPoint, whose table is its largest part, is not capped', () => {
    const count = 200_000;
    const bytes = new Uint8Array(9 + count * 21);
    new DataView(bytes.buffer).setUint32(5, count, true);
    bytes.set([1, 4, 0, 0, 0]);
    for (let at = 9; at < bytes.length; at += 21) bytes.set([1, 1, 0, 0, 0], at);
    expect(readWkb(bytes)).toMatchObject({ error: null, vertex_count: count });
  });

  it('vertices and parts beyond their caps are not read, and the rest is', () => {
    const made = ENCODINGS.find((one) => one.name === 'MULTIPOLYGON');
    const bytes = bytesOf(made?.ewkb_ndr ?? '');
    expect(readWkb(bytes, { max_vertices: 6 })).toMatchObject({ error: { code: 'capped' }, vertex_count: 6 });
    expect(readWkb(bytes, { max_parts: 3 })).toMatchObject({
      error: { code: 'capped' },
      part_count: 3,
      vertex_count: 4,
    });
  });
});

describe('bytes that are no WKB', () => {
  it.each([
    ['badByteOrder', 'bad_byte_order', 0, 'byte order 7'],
    ['unknownType', 'unknown_type', 1, 'type 99'],
    ['geoPackageBlob', 'bad_byte_order', 0, 'GeoPackage'],
    ['hexTextAsBytes', 'bad_byte_order', 0, 'hex text'],
  ] as const)('%s is %s', (name, code, offset, says) => {
    const { error } = readWkb(faultyBytes(name));
    expect(error).toMatchObject({ code, offset });
    expect(error?.message).toContain(says);
  });

  it('no bytes are truncated at 0', () => {
    expect(readWkb(new Uint8Array())).toMatchObject({ type_name: null, error: { code: 'truncated', offset: 0 } });
  });
});
