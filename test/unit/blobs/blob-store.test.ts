import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BlobDamaged } from '@/lib/blobs/blob-errors';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { DirectoryStore } from '@/lib/blobs/directory-store';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { DlqError } from '@/lib/contract/error';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { type S3Stub, startS3Stub } from '@/test/support/s3-stub';
import { sha256Of } from '@/test/support/sha256-of';

let folder: string;
let stub: S3Stub;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-blobs-'));
  stub = await startS3Stub({ bucket: 'queue' });
});
afterEach(async () => {
  await stub.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function* chunked(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}
const pathOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);

async function failureOf(work: Promise<unknown>): Promise<DlqError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DlqError);
  return error as DlqError;
}

async function names(store: BlobStore): Promise<string[]> {
  const found: string[] = [];
  for await (const blob of store.list()) found.push(blob.sha256);
  return found.toSorted();
}

describe.each(['a folder', 'a bucket'])('%s', (kind) => {
  let store: BlobStore;
  beforeEach(() => {
    store = kind === 'a folder' ? openBlobStore(folder, {}) : openBlobStore('s3://queue/blobs', stub.environment);
  });
  /** What a disk or a hand did to the stored bytes. */
  const overwrite = (hash: string, bytes: Uint8Array) =>
    kind === 'a folder'
      ? writeFileSync(pathOf(hash), bytes)
      : stub.objects.set(`blobs/${hash}`, { body: bytes, modified_at: new Date().toISOString() });

  test('gives back the bytes that went in, of any size around the size rule', async () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: SIZE_RULE_BYTES - 3, max: SIZE_RULE_BYTES + 3 }),
    );
    await fc.assert(
      fc.asyncProperty(size, fc.integer({ min: 1, max: 50 }), async (bytes, pieces) => {
        const given = randomBytes(bytes);
        const hash = sha256Of(given);
        expect(await store.put(hash, chunked(given, Math.ceil(bytes / pieces) || 1))).toMatchObject({
          size_bytes: bytes,
        });
        expect(Buffer.compare((await store.read(hash, bytes)) ?? Buffer.from('none'), given)).toBe(0);
        expect(await store.size(hash)).toBe(bytes);
      }),
      { numRuns: 25 },
    );
  });

  test('gives back what did not fit into memory', async () => {
    const given = randomBytes(9_000_001);
    await store.put(sha256Of(given), chunked(given, 1_000_000));
    expect(Buffer.compare((await store.read(sha256Of(given), 10_000_000)) ?? Buffer.alloc(0), given)).toBe(0);
  });

  test('takes nothing under the name of other bytes', async () => {
    const named = sha256Of(Buffer.from('right'));
    const failure = await failureOf(store.put(named, chunked(Buffer.from('wrong'))));
    expect(failure).toMatchObject({ code: 'unprocessable', details: { sha256: sha256Of(Buffer.from('wrong')) } });
    expect(await store.has(named)).toBe(false);
    expect(await names(store)).toEqual([]);
    await store.put(named, chunked(Buffer.from('right')));
    expect((await failureOf(store.put(named, chunked(Buffer.from('wrong'))))).code).toBe('unprocessable');
    expect(Buffer.from((await store.read(named, 10)) ?? []).toString()).toBe('right');
  });

  test('keeps nothing of an upload that breaks off', async () => {
    const given = randomBytes(300_000);
    const broken = async function* () {
      yield given.subarray(0, 200_000);
      throw new Error('the client is gone');
    };
    await expect(store.put(sha256Of(given), broken())).rejects.toThrow('the client is gone');
    expect(await names(store)).toEqual([]);
    if (kind === 'a folder') expect(readdirSync(path.join(folder, 'incoming'))).toEqual([]);
  });

  test('writes one blob once, whoever puts it at the same time', async () => {
    const given = randomBytes(400_000);
    const puts = await Promise.all(Array.from({ length: 8 }, () => store.put(sha256Of(given), chunked(given, 7_000))));
    expect(puts.every(({ size_bytes }) => size_bytes === 400_000)).toBe(true);
    expect(await store.put(sha256Of(given), chunked(given))).toEqual({ size_bytes: 400_000, created: false });
    expect(await names(store)).toEqual([sha256Of(given)]);
    expect(Buffer.compare((await store.read(sha256Of(given), 400_000)) ?? Buffer.alloc(0), given)).toBe(0);
  });

  test('says that a blob is damaged, and never gives its bytes whole', async () => {
    const given = randomBytes(600_000);
    const hash = sha256Of(given);
    await store.put(hash, chunked(given));
    const damaged = Buffer.from(given);
    damaged[599_999] = (damaged[599_999] ?? 0) ^ 1;
    overwrite(hash, damaged);
    await expect(store.read(hash, 600_000)).rejects.toBeInstanceOf(BlobDamaged);
    let seen = 0;
    const read = async () => {
      for await (const chunk of (await store.stream(hash))?.chunks ?? []) seen += chunk.byteLength;
    };
    await expect(read()).rejects.toThrow(/is damaged/);
    expect(seen).toBeLessThan(600_000);
    expect(await store.put(hash, chunked(given))).toMatchObject({ created: true });
    expect(await store.put(hash, chunked(given))).toMatchObject({ created: false });
    overwrite(hash, given.subarray(0, 100));
    await expect(store.read(hash, 600_000)).rejects.toBeInstanceOf(BlobDamaged);
    expect(await store.put(hash, chunked(given))).toMatchObject({ created: true });
    expect(Buffer.compare((await store.read(hash, 600_000)) ?? Buffer.alloc(0), given)).toBe(0);
  });

  test('reads no more than it is asked to, and null for what is not there', async () => {
    const given = randomBytes(100);
    await store.put(sha256Of(given), chunked(given));
    expect((await failureOf(store.read(sha256Of(given), 99))).code).toBe('too_large');
    expect(await store.read(sha256Of(Buffer.from('none')), 99)).toBeNull();
    expect(await store.stream(sha256Of(Buffer.from('none')))).toBeNull();
    await store.remove(sha256Of(given));
    await store.remove(sha256Of(given));
    expect(await store.has(sha256Of(given))).toBe(false);
  });
});

describe('a folder', () => {
  test('keeps its blobs from other users', async () => {
    const given = Buffer.from('secret');
    await openBlobStore(folder, {}).put(sha256Of(given), chunked(given));
    expect(statSync(pathOf(sha256Of(given))).mode & 0o077).toBe(0);
  });

  test('that is no folder is said to be unavailable', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const failure = await failureOf(openBlobStore(file, {}).put(sha256Of(Buffer.from('x')), chunked(Buffer.from('x'))));
    expect(failure).toMatchObject({ code: 'storage_unavailable', message: expect.stringContaining('DLO_BLOBS') });
  });

  test('removes what broken uploads left once it is a day old', async () => {
    const store = new DirectoryStore(folder);
    await store.put(sha256Of(Buffer.from('x')), chunked(Buffer.from('x')));
    for (const name of ['old.part', 'new.part']) writeFileSync(path.join(folder, 'incoming', name), 'half');
    utimesSync(path.join(folder, 'incoming', 'old.part'), 0, 0);
    expect(await store.removeLeftOvers(new Date())).toBe(1);
    expect(readdirSync(path.join(folder, 'incoming'))).toEqual(['new.part']);
  });
});

describe('a bucket', () => {
  test.each([[503, 3] as const, ['reset', 3] as const])('that fails by %s is unavailable', async (fault, n) => {
    stub.fail_next(fault, n, 'PUT');
    const store = openBlobStore('s3://queue/blobs', stub.environment);
    const failure = await failureOf(store.put(sha256Of(Buffer.from('x')), chunked(Buffer.from('x'))));
    expect(failure.code).toBe('storage_unavailable');
  });

  test('that breaks off half way through a blob gives no short one', async () => {
    const store = openBlobStore('s3://queue/blobs', stub.environment);
    const given = randomBytes(500_000);
    await store.put(sha256Of(given), chunked(given));
    stub.fail_next('partial', 1, 'GET');
    expect((await failureOf(store.read(sha256Of(given), 500_000))).code).toBe('storage_unavailable');
  });

  test('without its keys is refused at once by the name of the variable', () => {
    expect(() => openBlobStore('s3://queue/blobs', {})).toThrow(/DLO_BLOBS: AWS_ACCESS_KEY_ID/);
  });
});
