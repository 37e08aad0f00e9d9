import { isSha256 } from '@/lib/blobs/blob-store';
import type { ObjectStore } from '@/lib/object-store/s3';
import { sideFileLine } from './rejected-line';
import type { SpoolFile, SpoolSource } from './spool-source';

/** `spool`: objects below `spool/`, which go to `loaded/`. `plain`: any object of lines below the prefix, left where it is. */
export type BucketKind = 'spool' | 'plain';

const OWN_FOLDERS = /^(loaded|rejected|blobs)\//;
const LINES = /\.(ndjson|jsonl)$/;

/** Spool objects of one prefix. An object is one group commit and small: what broke off is read again from its start. */
export function spoolBucket(url: string, store: ObjectStore, kind: BucketKind = 'spool'): SpoolSource {
  const folder = kind === 'spool' ? 'spool/' : '';
  const sideFile = (name: string) => `rejected/${name}/`;
  return {
    kind: 'bucket',
    url,
    moves_loaded: kind === 'spool',
    async list() {
      const files: SpoolFile[] = [];
      for await (const { key, size_bytes, modified_at } of store.list(folder)) {
        const name = key.slice(folder.length);
        if (LINES.test(name) && !(kind === 'plain' && OWN_FOLDERS.test(name)))
          files.push({ name, size_bytes, modified_at: new Date(modified_at).toISOString() });
      }
      return files;
    },
    async *read(name, offset) {
      const body = await store.get(folder + name);
      if (!body) throw new Error('the object is gone');
      yield* bytesFrom(body, offset);
    },
    fingerprint: async () => null,
    sideFile: (name) => `${url}/${sideFile(name)}`,
    async reject(name, lines) {
      const first = lines[0];
      if (!first) return;
      // The same lines of a replay go to the same object.
      const key = `${sideFile(name)}${String(first.line).padStart(9, '0')}.ndjson`;
      await store.put(key, Buffer.from(lines.map((line) => sideFileLine(name, line)).join('')));
    },
    async retire(name) {
      if (kind === 'plain' || !(await store.head(folder + name))) return;
      await store.copy(folder + name, `loaded/${name}`);
      await store.remove(folder + name);
    },
    readBlob: (sha256) => store.get(`blobs/${sha256}`),
    async listBlobs(before) {
      const found: string[] = [];
      for await (const { key, modified_at } of store.list('blobs/')) {
        const sha256 = key.slice('blobs/'.length);
        if (isSha256(sha256) && new Date(modified_at) < before) found.push(sha256);
      }
      return found;
    },
    releaseBlob: async (sha256) => {
      if (kind === 'spool') await store.remove(`blobs/${sha256}`);
    },
    async rejectBlob(sha256) {
      if (kind === 'plain' || !(await store.head(`blobs/${sha256}`))) return;
      await store.copy(`blobs/${sha256}`, `rejected/blobs/${sha256}`);
      await store.remove(`blobs/${sha256}`);
    },
    async prune(before, keep) {
      const removed: string[] = [];
      for await (const { key, modified_at } of store.list('loaded/')) {
        const name = key.slice('loaded/'.length);
        if (new Date(modified_at) >= before || keep.has(name)) continue;
        await store.remove(key);
        removed.push(name);
      }
      return removed;
    },
    async listSideFiles(before) {
      const is_old = new Map<string, boolean>();
      for await (const { key, modified_at } of store.list('rejected/')) {
        const name = key.slice('rejected/'.length, key.lastIndexOf('/'));
        is_old.set(name, (is_old.get(name) ?? true) && new Date(modified_at) < before);
      }
      return [...is_old.keys()].filter((name) => is_old.get(name));
    },
    async removeSideFile(name) {
      const keys: string[] = [];
      for await (const { key } of store.list(`rejected/${name}/`)) keys.push(key);
      for (const key of keys) await store.remove(key);
    },
  };
}

/** An object's bytes from `offset` on. */
export async function* bytesFrom(body: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
  let skip = offset;
  for await (const piece of body) {
    if (skip < piece.byteLength) yield piece.subarray(skip);
    skip = Math.max(0, skip - piece.byteLength);
  }
}
