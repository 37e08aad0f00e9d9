import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NdjsonLine, ndjsonLines } from '@/lib/ingest/ndjson-lines';

async function linesOf(pieces: readonly Uint8Array[], max_line_bytes = 1000): Promise<NdjsonLine[]> {
  async function* chunks() {
    yield* pieces;
  }
  const lines: NdjsonLine[] = [];
  for await (const line of ndjsonLines(chunks(), { max_line_bytes })) lines.push(line);
  return lines;
}

test('however the bytes are cut into pieces, the lines are the same', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat(40)), async (lines, end, cuts) => {
      const whole = Buffer.from(lines.join(end));
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (const cut of cuts) {
        pieces.push(whole.subarray(from, from + cut));
        from = Math.min(whole.length, from + cut);
      }
      pieces.push(whole.subarray(from));
      expect(await linesOf(pieces)).toEqual(
        lines.map((text, i) => ({ line: i + 1, text: text.trim() })).filter(({ text }) => text !== ''),
      );
    }),
  );
});

test('a line over the limit and a line that is not UTF-8 are told by number, the others are read', async () => {
  const bytes = Buffer.concat([
    Buffer.from('one\n'),
    Buffer.alloc(5000, 'x'),
    Buffer.from('\nthree\n\n'),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from('six'),
  ]);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, i) =>
    bytes.subarray(i * 100, i * 100 + 100),
  );
  expect(await linesOf(pieces)).toEqual([
    { line: 1, text: 'one' },
    { line: 2, refused: 'too_long', bytes: 5000 },
    { line: 3, text: 'three' },
    { line: 5, refused: 'not_utf8' },
    { line: 6, text: 'six' },
  ]);
});
