import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfWkbText } from '@/lib/ingest/wkb-text';

const wkbLike = fc
  .tuple(
    fc.boolean(),
    fc.integer({ min: 1, max: 17 }),
    fc.constantFrom(0, 1000, 3000),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([little, type, dims, rest]) => {
    const head = Buffer.alloc(5, little ? 1 : 0);
    if (little) head.writeUInt32LE(type + dims, 1);
    else head.writeUInt32BE(type + dims, 1);
    return Buffer.concat([head, rest]);
  });

const asBytes = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');

test('bytes sent as hex are the bytes read, in either case, prefixed or not', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom('', '\\x', '0x'),
      fc.boolean(),
      (sent, prefix, upper) => {
        const hex = Buffer.from(sent).toString('hex');
        expect(asBytes(bytesOfWkbText(prefix + (upper ? hex.toUpperCase() : hex)))).toBe(hex);
      },
    ),
  );
});

test('what begins like WKB is told apart in both forms, also where base64 looks like hex', () => {
  fc.assert(
    fc.property(wkbLike, (sent) => {
      const buffer = Buffer.from(sent);
      for (const text of [buffer.toString('hex'), buffer.toString('base64'), buffer.toString('base64url')])
        expect(asBytes(bytesOfWkbText(text))).toBe(buffer.toString('hex'));
    }),
    { numRuns: 500 },
  );
});

test('a big-endian point of zeros as base64 has hex digits only, and is not read as hex', () => {
  const point = Buffer.from(`0000000001${'00'.repeat(16)}`, 'hex');
  expect(point.toString('base64')).toMatch(/^[0-9a-f]+$/i);
  expect(asBytes(bytesOfWkbText(point.toString('base64')))).toBe(point.toString('hex'));
});

test('base64 broken into lines is read', () => {
  const sent = Buffer.alloc(100, 1);
  expect(asBytes(bytesOfWkbText(sent.toString('base64').replace(/(.{76})/g, '$1\n')))).toBe(sent.toString('hex'));
});

test.each(['zz!', 'POINT(1 2)', 'abc?', '0xzz', '\\xabc', 'A'])('%s is neither', (text) =>
  expect(bytesOfWkbText(text)).toBeNull(),
);

test('garbage whose upper case hex is all letters of base64 stays hex', () =>
  expect(asBytes(bytesOfWkbText('AAAA'))).toBe('aaaa'));
