import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { pruneBlobs } from '@/lib/blobs/prune-blobs';
import { storeBlob } from '@/lib/blobs/store-blob';
import { captureOne } from '@/lib/ingest/capture-one';
import { type BlobFolder, makeBlobFolder } from '../support/blob-folder';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { lockWaits } from '../support/lock-waits';
import { putBlob } from '../support/put-blob';
import { sha256Of } from '../support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let store: BlobStore;
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  store = openBlobStore(blobs.folder, {});
});
afterAll(async () => {
  await database.drop();
  blobs.remove();
});
beforeEach(async () => {
  await database.pool.query('delete from dlq.blob');
});

const WEEK_MS = 7 * 86_400_000;
const prune = (from: BlobStore = store, dry_run = false) =>
  pruneBlobs({ db: database.db, store: from }, { grace_ms: WEEK_MS, dry_run });
const capture = (work_key: string, payload_ref: string) =>
  captureOne({ db: database.db }, { text: JSON.stringify({ work_key, task_name: 't', payload_ref }), via: 'http' });

const put = (text: string, into: BlobStore = store) => putBlob({ db: database.db, store: into }, text);

const age = (sha256: string) =>
  database.pool.query(
    `update dlq.blob set last_put_at = clock_timestamp() - interval '8 days' where sha256 = decode($1, 'hex')`,
    [sha256],
  );

describe('what no entry names', () => {
  test('is removed once it is older than the grace, and nothing else is', async () => {
    const [named, young, old] = [await put('named'), await put('young'), await put('old')];
    await capture('names it', `sha256:${named}`);
    await age(named);
    await age(old);
    expect(await prune(store, true)).toMatchObject({ removed: 1, removed_bytes: 3 });
    expect(existsSync(blobs.pathOf(old))).toBe(true);
    expect(await prune()).toMatchObject({ removed: 1, removed_bytes: 3, registered: 0 });
    expect([named, young, old].map((sha256) => existsSync(blobs.pathOf(sha256)))).toEqual([true, true, false]);
    expect(await prune()).toMatchObject({ removed: 0 });
  });

  test('stays as long as an earlier version of a payload names it', async () => {
    const earlier = await put('earlier');
    await capture('two versions', `sha256:${earlier}`);
    await capture('two versions', `sha256:${await put('later')}`);
    await age(earlier);
    expect(await prune()).toMatchObject({ removed: 0 });
    expect(await store.has(earlier)).toBe(true);
  });

  test('is young again when it is put again', async () => {
    const sha256 = await put('again');
    await age(sha256);
    await put('again');
    expect(await prune()).toMatchObject({ removed: 0 });
    expect(await store.has(sha256)).toBe(true);
  });

  test('and what only the store knows of is young from then on', async () => {
    const sha256 = sha256Of('by hand');
    mkdirSync(path.dirname(blobs.pathOf(sha256)), { recursive: true });
    writeFileSync(blobs.pathOf(sha256), 'by hand');
    expect((await prune()).registered).toBeGreaterThan(0);
    expect(await store.has(sha256)).toBe(true);
    await age(sha256);
    expect(await prune()).toMatchObject({ removed: 1, registered: 0 });
  });

  test('and an upload that never ended leaves no row behind', async () => {
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('gone');
    };
    const sha256 = sha256Of('whole');
    await expect(storeBlob({ db: database.db, store }, { sha256, chunks: broken() })).rejects.toThrow('gone');
    await age(sha256);
    expect(await prune()).toMatchObject({ removed: 1, removed_bytes: 0 });
  });
});

describe('a race', () => {
  test('with a capture that names the blob and has not committed yet: the blob stays', async () => {
    const sha256 = await put('captured meanwhile');
    await age(sha256);
    const writer = await database.pool.connect();
    try {
      await writer.query('begin');
      await writer.query(`select dlq.capture($1::jsonb)`, [
        JSON.stringify({ work_key: 'meanwhile', task_name: 't', payload_ref: `sha256:${sha256}` }),
      ]);
      const pruning = prune();
      await lockWaits(database.pool);
      await writer.query('commit');
      expect(await pruning).toMatchObject({ removed: 0 });
    } finally {
      writer.release();
    }
    expect(await store.has(sha256)).toBe(true);
  });

  test('with an upload that comes while the blob is being removed: the upload writes it anew', async () => {
    const sha256 = await put('put meanwhile');
    await age(sha256);
    let uploading: Promise<unknown> = Promise.resolve();
    const slow: BlobStore = Object.assign(Object.create(store) as BlobStore, {
      remove: async (name: string) => {
        uploading = put('put meanwhile');
        await lockWaits(database.pool);
        await store.remove(name);
      },
    });
    expect(await prune(slow)).toMatchObject({ removed: 1 });
    await uploading;
    expect(await store.has(sha256)).toBe(true);
    await capture('after the race', `sha256:${sha256}`);
    await age(sha256);
    expect(await prune()).toMatchObject({ removed: 0 });
  });

  test('with an upload under way of bytes that are there: they stay', async () => {
    const sha256 = await put('under way');
    await age(sha256);
    const chunks = async function* () {
      yield Buffer.from('under ');
      expect(await prune()).toMatchObject({ removed: 0 });
      yield Buffer.from('way');
    };
    const stored = await storeBlob({ db: database.db, store }, { sha256, chunks: chunks() });
    expect(stored).toEqual({ sha256, size_bytes: 9, created: false });
    expect(await store.has(sha256)).toBe(true);
  });

  test('of many: whatever was put within the grace and named is whole in the end', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `race ${n}`);
    for (const text of texts) await age(await put(text));
    let over = false;
    const pruning = (async () => {
      while (!over) await prune();
    })();
    const named = await Promise.all(
      texts.map(async (text, n) => {
        const sha256 = await put(text);
        await capture(`race ${n}`, `sha256:${sha256}`);
        return { text, sha256 };
      }),
    );
    over = true;
    await pruning;
    await prune();
    for (const { text, sha256 } of named)
      expect(Buffer.from((await store.read(sha256, 100)) ?? []).toString()).toBe(text);
  });
});

test('`dlo blobs` says what there is, what is missing and what it removes', async () => {
  const dlo = (...args: string[]) =>
    execFileSync(process.execPath, [path.join(import.meta.dirname, '../../lib/cli/dlo.mjs'), 'blobs', ...args], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: database.url, DLO_BLOBS: blobs.folder, DLO_LOG_LEVEL: 'silent' },
    });
  const old = await put('to be removed');
  await age(old);
  await capture('missing', `sha256:${sha256Of('never put')}`);
  expect(dlo('--prune', '--dry-run')).toContain(
    'Would remove 1 blob, 0.0 MB, that no entry names, last put more than 7d',
  );
  const said = dlo('--prune', '--older-than', '7d');
  expect(said).toMatch(/^Removed 1 blob,/);
  expect(said).toContain(`Blob store ${blobs.folder}`);
  expect(said).toContain(`    sha256:${sha256Of('never put')}`);
  expect(() => dlo('--prune', '--older-than', 'soon')).toThrow(/--older-than takes a duration/);
});
