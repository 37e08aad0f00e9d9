import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Place, type RawLine, splitLines } from '@/lib/spool/split-lines';

async function* pieces(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function split(bytes: Uint8Array, { from = { offset: 0, lines: 0 }, max = 1000, sizes = [7] } = {}) {
  const place: Place = { ...from };
  const lines: RawLine[] = [];
  for await (const line of splitLines(pieces(bytes.subarray(from.offset), sizes), place, { max_line_bytes: max }))
    lines.push(line);
  return { lines, place };
}

const text = ({ bytes }: RawLine) => Buffer.from(bytes).toString();

describe('a file split into lines', () => {
  test('CRLF, a BOM, blank lines and a last line without a break are taken, and every line knows its place', async () => {
    const bytes = Buffer.from('\ufeff{"a":1}\r\n\n  \n{"b":2}\n{"c":3}');
    const { lines, place } = await split(bytes);
    expect(lines.map((line) => [line.line, line.offset, line.end, text(line), line.is_ended])).toEqual([
      [1, 0, 12, '{"a":1}', true],
      [4, 16, 24, '{"b":2}', true],
      [5, 24, 31, '{"c":3}', false],
    ]);
    expect(place).toEqual({ offset: bytes.length, lines: 5 });
  });

  test('a line over the limit is passed by, with its beginning, and the next is whole', async () => {
    const { lines } = await split(Buffer.from(`${'x'.repeat(60)}\nshort\n`), { max: 20 });
    expect(lines.map((line) => [text(line).slice(0, 3), line.is_whole, line.end])).toEqual([
      ['xxx', false, 61],
      ['sho', true, 67],
    ]);
  });

  test('from the place behind any line the same lines follow, however the bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('', ' ', 'a', 'bb{}', '\r', 'ü🜁', 'long'.repeat(9)), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        fc.nat(12),
        async (parts, sizes, cut) => {
          const bytes = Buffer.from(parts.join('\n'));
          const whole = await split(bytes, { sizes, max: 20 });
          const before = whole.lines[cut % Math.max(1, whole.lines.length)];
          if (!before) return;
          const rest = await split(bytes, { from: { offset: before.end, lines: before.line }, sizes: [3], max: 20 });
          const after = whole.lines.filter(({ line }) => line > before.line);
          expect(rest.lines.map((one) => [one.line, one.offset, one.end, text(one), one.is_whole])).toEqual(
            after.map((one) => [one.line, one.offset, one.end, text(one), one.is_whole]),
          );
          expect(rest.place.offset).toBe(bytes.length);
        },
      ),
    );
  });
});
