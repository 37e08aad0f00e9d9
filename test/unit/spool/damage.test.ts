import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derivedCaptureId } from '@/lib/ingest/derived-capture-id';
import { CHUNK_LIMITS, readChunks } from '@/lib/spool/read-chunks';
import { rejectedRow, sideFileLine } from '@/lib/spool/rejected-line';
import type { SpoolSource } from '@/lib/spool/spool-source';
import { captures, spoolBytes } from '../../support/spool-lines';

/** A source with one file, in memory. */
function sourceOf(bytes: Uint8Array): SpoolSource {
  return {
    kind: 'directory',
    url: 'memory',
    list: async () => [],
    async *read(_, offset) {
      yield bytes.subarray(offset);
    },
    fingerprint: async () => null,
    reject: async () => {},
    sideFile: () => '',
    retire: async () => {},
    readBlob: async () => null,
    releaseBlob: async () => {},
    rejectBlob: async () => {},
  };
}

async function readAll(bytes: Uint8Array) {
  const good: string[] = [];
  const rejected: { line: number; reason: string; text: string }[] = [];
  const limits = { chunk_lines: 3, chunk_bytes: 1e6, max_line_bytes: 1e6 };
  for await (const chunk of readChunks(sourceOf(bytes), 'a.ndjson', { offset: 0, lines: 0 }, limits))
    for (const one of chunk.read) {
      if ('proposal' in one) good.push(one.proposal.work_key);
      else rejected.push({ ...one.rejected, text: Buffer.from(one.rejected.bytes).toString() });
    }
  return { good, rejected };
}

const LINES = captures(0, 8);
const BYTES = spoolBytes(LINES);
const KEYS = LINES.map(({ work_key }) => String(work_key));
/** The line in which a byte of the file lies; its line break belongs to it. */
const lineOf = (at: number) => BYTES.subarray(0, at).filter((byte) => byte === 0x0a).length;

describe('a damaged file', () => {
  test('any byte changed costs that line and no other; a changed line break the two that it joined', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(BYTES.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(BYTES);
        bytes[at] = (bytes[at] as number) ^ change;
        const { good, rejected } = await readAll(bytes);
        const hit = lineOf(at);
        const was_break = BYTES[at] === 0x0a;
        // the last line's break may go: what stands before it is whole, unless the byte there now belongs to it
        const lost = !was_break ? [hit] : hit === KEYS.length - 1 ? [] : [hit, hit + 1];
        const expected = KEYS.filter((_, i) => !lost.includes(i));
        if (was_break && hit === KEYS.length - 1) expect(good.slice(0, -1)).toEqual(expected.slice(0, good.length - 1));
        else expect(good).toEqual(expected);
        expect(good.length + (rejected.length > 0 ? lost.length || 1 : 0)).toBe(KEYS.length);
      }),
      { numRuns: 500 },
    );
  });

  test('a file cut off anywhere loses the line that was cut and no other', async () => {
    for (let at = 0; at < BYTES.length; at += 37) {
      const { good, rejected } = await readAll(BYTES.subarray(0, at));
      const whole = lineOf(at);
      expect(good.slice(0, whole)).toEqual(KEYS.slice(0, whole));
      expect(rejected.every(({ reason, line }) => reason === 'torn' && line === whole + 1)).toBe(true);
    }
  });

  test('what could not be taken is kept as it stood, with the reason', async () => {
    const lines = [
      '{"work_key":"a","task_name":"t","typo":1}',
      'no json at all',
      BYTES.toString().split('\n')[0]?.replace('unit/0', 'unit/9') ?? '',
    ];
    const { rejected } = await readAll(Buffer.from(`${lines.join('\n')}\n`));
    expect(rejected.map(({ line, reason, text }) => [line, reason, text])).toEqual([
      [1, 'refused', lines[0]],
      [2, 'not_json', lines[1]],
      [3, 'checksum', lines[2]],
    ]);
  });
});

test('a side file keeps every byte of a damaged line, also where they are no text any more', async () => {
  const line = Buffer.from(BYTES.subarray(0, BYTES.indexOf(0x0a)));
  line[line.length - 30] = 0xff;
  for await (const { read } of readChunks(
    sourceOf(Buffer.concat([line, Buffer.from('\n')])),
    'a.ndjson',
    { offset: 0, lines: 0 },
    CHUNK_LIMITS,
  ))
    for (const one of read) {
      if (!('rejected' in one)) throw new Error('a damaged line was taken');
      expect(one.rejected.reason).toBe('checksum');
      expect(Buffer.from(JSON.parse(sideFileLine('a.ndjson', one.rejected)).base64, 'base64').equals(line)).toBe(true);
      expect(rejectedRow(one.rejected).is_whole).toBe(false);
    }
  expect.assertions(3);
});

test('a derived capture id is a UUID of version 8 that depends on each of its parts', () => {
  const id = derivedCaptureId('a.ndjson', '1', '{}');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(derivedCaptureId('a.ndjson', '1', '{}')).toBe(id);
  const others = [
    derivedCaptureId('b.ndjson', '1', '{}'),
    derivedCaptureId('a.ndjson', '2', '{}'),
    derivedCaptureId('a.ndjson', '1', '{ }'),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});
