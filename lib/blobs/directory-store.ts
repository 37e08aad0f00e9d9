import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { storeUnavailable } from './blob-errors';
import { type BlobStore, collect, isSha256, isWhole, type StoredBlob, takeIn, verified } from './blob-store';

/** Uploads under way, beside the blobs so that a rename moves them. */
const INCOMING = 'incoming';
/** No upload lasts this long: what is older was left by a process that ended. */
const LEFT_OVER_MS = 24 * 3600_000;

/** Blobs in a folder, as `ab/cd/abcd…`: a folder of a million names is slow in many tools. */
export class DirectoryStore implements BlobStore {
  constructor(private readonly folder: string) {}

  async put(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<{ size_bytes: number; created: boolean }> {
    if (await isWhole(this, sha256)) {
      const size_bytes = await takeIn(chunks, sha256, async () => {});
      return { size_bytes, created: false };
    }
    const part = path.join(this.folder, INCOMING, `${randomUUID()}.part`);
    const file = await storing(() => this.create(part));
    try {
      const size_bytes = await takeIn(chunks, sha256, (chunk) => storing(() => writeWhole(file, chunk)));
      await storing(async () => {
        await file.sync();
        await file.close();
        await this.name(part, sha256);
      });
      return { size_bytes, created: true };
    } catch (error) {
      await file.close().catch(() => {});
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
  }

  read(sha256: string, max_bytes: number): Promise<Uint8Array | null> {
    return collect(this, sha256, max_bytes);
  }

  async stream(sha256: string): Promise<{ size_bytes: number; chunks: AsyncIterable<Uint8Array> } | null> {
    const size_bytes = await this.size(sha256);
    if (size_bytes === null) return null;
    return { size_bytes, chunks: verified(this.pieces(sha256), sha256) };
  }

  async size(sha256: string): Promise<number | null> {
    const found = await storing(() => orNull(stat(this.pathOf(sha256))));
    return found?.size ?? null;
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.size(sha256)) !== null;
  }

  async remove(sha256: string): Promise<void> {
    await storing(async () => {
      await rm(this.pathOf(sha256), { force: true });
    });
  }

  async *list(): AsyncIterable<StoredBlob> {
    for (const first of await this.names('')) {
      if (!/^[0-9a-f]{2}$/.test(first)) continue;
      for (const second of await this.names(first)) {
        for (const sha256 of await this.names(path.join(first, second))) {
          if (!isSha256(sha256)) continue;
          const found = await storing(() => orNull(stat(this.pathOf(sha256))));
          if (found) yield { sha256, size_bytes: found.size, modified_at: found.mtime };
        }
      }
    }
  }

  /** Removes what uploads left that ended with their process. Answers how many. */
  async removeLeftOvers(now: Date): Promise<number> {
    let removed = 0;
    for (const name of await this.names(INCOMING)) {
      const part = path.join(this.folder, INCOMING, name);
      const found = await storing(() => orNull(stat(part)));
      if (!found || now.getTime() - found.mtimeMs < LEFT_OVER_MS) continue;
      await storing(() => rm(part, { force: true }));
      removed += 1;
    }
    return removed;
  }

  private pathOf(sha256: string): string {
    if (!isSha256(sha256)) throw new Error(`${sha256.slice(0, 80)} is no sha256`);
    return path.join(this.folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  private async *pieces(sha256: string): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(this.pathOf(sha256), { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  private async create(part: string): Promise<FileHandle> {
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    return open(part, 'wx', 0o600);
  }

  /** The name is there for good once the folders that lead to it are on the disk too. */
  private async name(part: string, sha256: string): Promise<void> {
    const target = this.pathOf(sha256);
    const first_made = await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await rename(part, target);
    for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
      await syncFolder(folder);
      if (first_made === undefined || folder.length < first_made.length || folder === this.folder) return;
    }
  }

  private async names(below: string): Promise<string[]> {
    return (await storing(() => orNull(readdir(path.join(this.folder, below))))) ?? [];
  }
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeUnavailable(error);
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** A write can be short (a nearly full disk takes a part and says so only at the next). */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
