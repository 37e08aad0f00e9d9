import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSpoolLine, sha256Of, spoolLine } from '@/lib/capture/spool-line';
import { parseSpoolFileName, spoolFileNames } from '@/lib/capture/spool-name';

const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const withoutBreak = (line: Buffer) => line.subarray(0, -1);

describe('a line of a spool file', () => {
  test('is true JSON that holds the capture and the hash of its bytes', () => {
    const capture = '{"work_key":"parcels/39 é","params":{"big":12345678901234567890}}';
    const line = spoolLine(capture).toString('utf8');
    expect(line).toBe(`{"sha256":"${sha256Of(bytesOf(capture))}","capture":${capture}}\n`);
    expect(JSON.parse(line)).toMatchObject({ capture: { work_key: 'parcels/39 é' } });
  });

  test('gives back any text as it was, and has no line break but its last byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = text.replace(/[\r\n]/g, ' ');
        const line = spoolLine(text);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(readSpoolLine(withoutBreak(line))).toEqual({ capture: written, sha256: sha256Of(bytesOf(written)) });
      }),
    );
  });

  test('is refused when any one byte of its text or hash is another, or when it is cut anywhere', () => {
    const line = withoutBreak(spoolLine('{"work_key":"k","n":1}'));
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(line);
        changed[at] = (changed[at] ?? 0) ^ by;
        const read = readSpoolLine(changed);
        // a broken prefix makes it a plain line, which no contract takes: its JSON is broken or has other members
        if ('capture' in read) expect(read.sha256).toBeNull();
        const cut = readSpoolLine(line.subarray(0, at));
        if ('capture' in cut) expect(() => JSON.parse(cut.capture)).toThrow();
      }),
    );
  });

  test('without a checksum is a plain capture; bytes that are no UTF-8 are refused', () => {
    expect(readSpoolLine(bytesOf('{"work_key":"k"}'))).toEqual({ capture: '{"work_key":"k"}', sha256: null });
    expect(readSpoolLine(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({ bad: expect.stringContaining('UTF-8') });
  });

  test('any bytes are read without an error', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readSpoolLine(bytes)));
  });
});

describe('the name of a spool file', () => {
  test('tells host, process and place in order, also where the host has dashes', () => {
    const next = spoolFileNames();
    const [first, second] = [next(), next()];
    expect(parseSpoolFileName(first)).toMatchObject({ pid: process.pid, seq: 1, open: false });
    expect(parseSpoolFileName(`${second}.open`)).toMatchObject({ pid: process.pid, seq: 2, open: true });
    expect(parseSpoolFileName('a-b-7-8.c-12-0123abcd-000003.ndjson')).toEqual({
      host: 'a-b-7-8.c',
      pid: 12,
      writer: '0123abcd',
      seq: 3,
      open: false,
    });
  });

  test('of another file is none', () => {
    for (const name of ['notes.txt', 'x.ndjson', 'h-1-0123abcd-1.ndjson.part'])
      expect(parseSpoolFileName(name)).toBe(null);
  });
});
