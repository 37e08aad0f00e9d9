import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSpool, type SpoolOptions, spoolOf } from '@/lib/capture/spool';
import { sha256Of } from '@/lib/capture/spool-line';
import { readSpool } from './read-spool';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dlo-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: Partial<SpoolOptions> = {}) => openSpool({ where: folder, warn: () => {}, ...more });
const sealed = (files: string[]) => files.filter((name) => name.endsWith('.ndjson'));

describe('a spool in a directory', () => {
  test('holds what it acknowledged, in an open file that the seal hands over', async () => {
    const spool = open();
    const { file } = await spool.append('{"work_key":"a"}');
    expect(readSpool(folder)).toMatchObject({ captures: ['{"work_key":"a"}'], bad: [] });
    expect(existsSync(`${file}.open`)).toBe(true);
    await spool.seal();
    expect(readSpool(folder).files.map((name) => join(folder, name))).toEqual([file]);
    await spool.append('{"work_key":"b"}');
    await spool.seal();
    expect(sealed(readSpool(folder).files)).toHaveLength(2);
    expect(readSpool(folder).captures).toEqual(['{"work_key":"a"}', '{"work_key":"b"}']);
  });

  test('gives back any captures as they were, many at once too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 30 }), async (texts) => {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true }); // a spool without a line may still be making it
        const spool = open();
        await Promise.all(texts.map((text) => spool.append(text)));
        await spool.seal();
        expect(readSpool(folder)).toMatchObject({
          captures: texts.map((text) => text.replace(/[\r\n]/g, ' ')),
          bad: [],
        });
      }),
      { numRuns: 50 },
    );
  });

  test('writes those who come at once into one file together', async () => {
    const spool = open();
    const texts = Array.from({ length: 2000 }, (_, i) => `{"work_key":"${i}"}`);
    const kept = await Promise.all(texts.map((text) => spool.append(text)));
    expect(new Set(kept.map(({ file }) => file)).size).toBe(1);
    expect(readSpool(folder).captures).toEqual(texts);
  });

  test('has one writer in a process, whoever asks', () => {
    const spool = open();
    expect(openSpool({ where: join(folder, '..', folder.split('/').at(-1) ?? '') })).toBe(spool);
    expect(spoolOf(folder)).toBe(spool);
    expect(spoolOf(false)).toBeUndefined();
  });

  test('writes a line again when its file was taken away under it', async () => {
    const spool = open();
    const { file } = await spool.append('{"n":1}');
    renameSync(`${file}.open`, file);
    const again = await spool.append('{"n":2}');
    expect(again.file).not.toBe(file);
    rmSync(file);
    expect(readSpool(folder)).toMatchObject({ captures: ['{"n":2}'], bad: [] });
  });

  test('does not write to another file that has taken the name of its own', async () => {
    const spool = open();
    const { file } = await spool.append('{"n":1}');
    renameSync(`${file}.open`, file);
    writeFileSync(`${file}.open`, '');
    await spool.append('{"n":2}');
    expect(readFileSync(`${file}.open`, 'utf8')).toBe('');
    rmSync(file);
    expect(readSpool(folder).captures).toEqual(['{"n":2}']);
  });

  test('begins a new file when the last one is old, and seals the old one', async () => {
    const spool = open({ max_age_ms: 0 });
    const first = await spool.append('{"n":1}');
    const second = await spool.append('{"n":2}');
    expect(second.file).not.toBe(first.file);
    expect(existsSync(first.file)).toBe(true);
  });

  test('seals a file once it is old although nothing follows', async () => {
    const { file } = await open({ max_age_ms: 1 }).append('{"n":1}');
    await expect.poll(() => existsSync(file)).toBe(true);
  });

  test('makes its folder, also when someone removed it', async () => {
    const where = join(folder, 'a', 'b');
    const spool = openSpool({ where });
    await spool.append('{"n":1}');
    rmSync(join(folder, 'a'), { recursive: true });
    await spool.append('{"n":2}');
    expect(readSpool(where).captures).toEqual(['{"n":2}']);
  });

  test('that cannot be made says so when it is opened, and by its path to each capture', async () => {
    writeFileSync(join(folder, 'file'), '');
    const where = join(folder, 'file', 'spool');
    const warnings: string[] = [];
    const spool = openSpool({ where, warn: (text) => warnings.push(text) });
    await expect(spool.append('{"n":1}')).rejects.toThrow(where);
    expect(warnings).toEqual([expect.stringContaining(where)]);
  });

  test('takes no more than its bound, and takes lines again once it was emptied', async () => {
    const spool = open({ max_bytes: 1000 });
    const big = `{"x":"${'y'.repeat(600)}"}`;
    const { file } = await spool.append(big);
    await expect(spool.append(big)).rejects.toThrow(/is full: .*dlo ingest/);
    await spool.append('{"n":"a small one fits"}');
    await spool.seal();
    mkdirSync(join(folder, 'loaded'));
    renameSync(file, join(folder, 'loaded', 'x.ndjson'));
    await expect
      .poll(
        () =>
          spool.append(big).then(
            () => 'taken',
            () => 'full',
          ),
        { timeout: 10_000 },
      )
      .toBe('taken');
  });

  test('keeps a payload under its hash, whole, and again where it was damaged', async () => {
    const spool = open();
    const bytes = new Uint8Array(3_000_000).map((_, i) => i);
    const sha256 = sha256Of(bytes);
    await Promise.all([spool.put_blob(sha256, bytes), spool.put_blob(sha256, bytes)]);
    expect(sha256Of(readFileSync(join(folder, 'blobs', sha256)))).toBe(sha256);
    writeFileSync(join(folder, 'blobs', sha256), new Uint8Array(bytes.length));
    await spool.put_blob(sha256, bytes);
    expect(sha256Of(readFileSync(join(folder, 'blobs', sha256)))).toBe(sha256);
    await expect(openSpool({ where: join(folder, 'small'), max_bytes: 1000 }).put_blob(sha256, bytes)).rejects.toThrow(
      'full',
    );
  });

  test('answers a capture whose deadline has passed, and keeps it nevertheless', async () => {
    const spool = open();
    const deadline = new AbortController();
    const kept = spool.append('{"n":1}', deadline.signal);
    deadline.abort();
    await expect(kept).rejects.toThrow('in time');
    await spool.seal();
    expect(readSpool(folder).captures).toEqual(['{"n":1}']);
  });
});
