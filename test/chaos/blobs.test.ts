import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { sha256Of } from '../support/sha256-of';
import { canMount, mountSmallDisk, type SmallDisk } from './faults/full-disk';
import { makeVictim } from './faults/victim';

async function* chunked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

describe('a process that is killed while it puts blobs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'dlo-blobs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('leaves no wrong blob under any name, and every blob that it told of', async () => {
    const stored = new Set<string>();
    let begun = 0;
    const victim = makeVictim({
      script: 'test/chaos/processes/blob-putter.ts',
      environment: { BLOBS: folder, SIZE_BYTES: '3000000' },
    });
    try {
      for (let round = 0; round < 8; round++) {
        // Killed at another point of an upload each time: so many messages later.
        let left = 1 + round;
        const enough = new Promise<void>((resolve) => {
          const stop = victim.on_message(({ kind, sha256 }) => {
            if (kind === 'putting') begun += 1;
            if (kind === 'stored') stored.add(String(sha256));
            if (kind !== 'ready' && --left === 0) {
              stop();
              resolve();
            }
          });
        });
        await victim.start();
        await enough;
        await victim.kill();
      }
    } finally {
      await victim.kill();
    }
    const store = openBlobStore(folder, {});
    const found = new Set<string>();
    for await (const { sha256 } of store.list()) {
      // Verified against its name: a wrong or half blob throws.
      expect((await store.read(sha256, 4_000_000))?.byteLength).toBe(3_000_000);
      found.add(sha256);
    }
    expect([...stored].filter((sha256) => !found.has(sha256))).toEqual([]);
    expect(begun).toBeGreaterThan(stored.size);
  });
});

describe.skipIf(!canMount())('a disk that is full', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = mountSmallDisk(4_000_000);
  });
  afterEach(() => disk.remove());

  test('takes no part of a blob, says so, and takes the whole blob once there is room', async () => {
    const store = openBlobStore(disk.folder, {});
    const small = randomBytes(500_000);
    await store.put(sha256Of(small), chunked(small));
    disk.fill(700_000);
    const large = randomBytes(2_000_000);
    const refused = await store.put(sha256Of(large), chunked(large)).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('its disk is full'),
    });
    expect(await store.has(sha256Of(large))).toBe(false);
    expect(readdirSync(path.join(disk.folder, 'incoming'))).toEqual([]);
    expect(Buffer.compare((await store.read(sha256Of(small), 500_000)) ?? Buffer.alloc(0), small)).toBe(0);
    expect(await store.put(sha256Of(small), chunked(small))).toMatchObject({ created: false });
    disk.free();
    expect(await store.put(sha256Of(large), chunked(large))).toEqual({ size_bytes: 2_000_000, created: true });
  });
});
