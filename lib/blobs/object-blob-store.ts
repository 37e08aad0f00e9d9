import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectStore } from '@/lib/object-store/s3';
import { storeUnavailable } from './blob-errors';
import { type BlobStore, collect, isSha256, isWhole, type StoredBlob, takeIn, verified } from './blob-store';

/** An upload is held in memory up to this size, in a temporary file beyond: S3 has to know length and hash beforehand. */
const IN_MEMORY_BYTES = 8_000_000;

/** Blobs in a bucket, each under its sha256; S3 itself compares what it gets with the signed hash. */
export class ObjectBlobStore implements BlobStore {
  constructor(private readonly objects: ObjectStore) {}

  async put(
    sha256: string,
    chunks: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<{ size_bytes: number; created: boolean }> {
    if (await isWhole(this, sha256)) {
      const size_bytes = await takeIn(chunks, sha256, async () => {});
      return { size_bytes, created: false };
    }
    const upload = new Upload();
    try {
      const size_bytes = await takeIn(chunks, sha256, (chunk) => upload.add(chunk));
      await storing(() => upload.send(this.objects, sha256, size_bytes, signal));
      return { size_bytes, created: true };
    } finally {
      await upload.discard();
    }
  }

  read(sha256: string, max_bytes: number): Promise<Uint8Array | null> {
    return collect(this, sha256, max_bytes);
  }

  async stream(sha256: string): Promise<{ size_bytes: number; chunks: AsyncIterable<Uint8Array> } | null> {
    const size_bytes = await this.size(sha256);
    if (size_bytes === null) return null;
    const objects = this.objects;
    const pieces = async function* () {
      try {
        const body = await objects.get(sha256);
        if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw storeUnavailable(error);
      }
    };
    return { size_bytes, chunks: verified(pieces(), sha256) };
  }

  async size(sha256: string): Promise<number | null> {
    return (await storing(() => this.objects.head(sha256)))?.size_bytes ?? null;
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.size(sha256)) !== null;
  }

  async remove(sha256: string): Promise<void> {
    await storing(() => this.objects.remove(sha256));
  }

  async *list(): AsyncIterable<StoredBlob> {
    try {
      for await (const { key, size_bytes, modified_at } of this.objects.list(''))
        if (isSha256(key)) yield { sha256: key, size_bytes, modified_at: new Date(modified_at) };
    } catch (error) {
      throw storeUnavailable(error);
    }
  }
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeUnavailable(error);
  }
}

/** What came in so far of one blob. */
class Upload {
  private pieces: Uint8Array[] = [];
  private held_bytes = 0;
  private file: FileHandle | null = null;
  private readonly path = path.join(tmpdir(), `dlo-blob-${randomUUID()}.part`);

  async add(chunk: Uint8Array): Promise<void> {
    this.pieces.push(chunk);
    this.held_bytes += chunk.byteLength;
    if (this.held_bytes > IN_MEMORY_BYTES) await storing(() => this.spill());
  }

  async send(objects: ObjectStore, sha256: string, size_bytes: number, signal?: AbortSignal): Promise<void> {
    if (!this.file) return objects.put(sha256, Buffer.concat(this.pieces), signal);
    await this.spill();
    const body = Readable.toWeb(createReadStream(this.path)) as ReadableStream<Uint8Array>;
    return objects.put_stream(sha256, body, size_bytes, sha256, signal);
  }

  async discard(): Promise<void> {
    if (!this.file) return;
    await this.file.close().catch(() => {});
    await rm(this.path, { force: true });
  }

  private async spill(): Promise<void> {
    this.file ??= await open(this.path, 'wx', 0o600);
    // appendFile goes on until everything is written, also where one write takes only a part
    await this.file.appendFile(Buffer.concat(this.pieces));
    this.pieces = [];
    this.held_bytes = 0;
  }
}
