import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DirectoryStore } from '@/lib/blobs/directory-store';
import { moveBlobs } from '@/lib/spool/move-blobs';
import { spoolDirectory } from '@/lib/spool/spool-directory';

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
const PAYLOAD = Buffer.alloc(300_000, 7);
const SHA256 = createHash('sha256').update(PAYLOAD).digest('hex');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dlo-move-'));
  await mkdir(at('spool', 'blobs'), { recursive: true });
  await writeFile(at('spool', 'blobs', SHA256), PAYLOAD);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const makeStore = () => new DirectoryStore(at('store'));

test('a payload that another loader moves between the look and the read neither ends the process nor holds its line up', async () => {
  const store = makeStore();
  const spool = spoolDirectory(at('spool'));
  let looked = 0;
  const racing = {
    ...spool,
    readBlob: async (sha256: string) => {
      const bytes = await spool.readBlob(sha256);
      if (looked++ === 0) {
        await rm(at('spool', 'blobs', sha256));
        // the error of a stream opened too early would come now, while nobody listens
        await sleep(20);
      }
      return bytes;
    },
  };
  await expect(moveBlobs(racing, store, [SHA256])).resolves.toBeUndefined();
  expect(looked).toBe(2);
  expect(await store.has(SHA256)).toBe(false);
});

test('a payload that is still there while the store cannot take it holds its line up', async () => {
  const spool = spoolDirectory(at('spool'));
  const full = { put: () => Promise.reject(new Error('no space left')) };
  await expect(moveBlobs(spool, full, [SHA256])).rejects.toThrow('no space left');
  expect(await spool.readBlob(SHA256)).not.toBeNull();
});

test('what was moved is in the store and no longer in the spool', async () => {
  const store = makeStore();
  const spool = spoolDirectory(at('spool'));
  await moveBlobs(spool, store, [SHA256]);
  expect(await store.has(SHA256)).toBe(true);
  expect(await spool.readBlob(SHA256)).toBeNull();
});
