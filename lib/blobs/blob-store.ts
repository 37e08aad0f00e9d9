import { createHash } from 'node:crypto';
import { BlobDamaged, blobTooLarge, wrongHash } from './blob-errors';

export interface StoredBlob {
  sha256: string;
  size_bytes: number;
  modified_at: Date;
}

/**
 * Bytes by their sha256 (64 lowercase hex digits). What is under a name is whole and hashes to it: it gets its name only
 * once it was verified. Errors are DlqErrors: `unprocessable` for wrong bytes, `storage_unavailable` where the store fails.
 */
export interface BlobStore {
  /** Stores what streams in. A blob that is there whole is not written again (`created` false), one that is damaged is replaced. */
  put(
    sha256: string,
    chunks: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<{ size_bytes: number; created: boolean }>;
  /** The verified bytes, null where there is none. @throws DlqError too_large over `max_bytes`; BlobDamaged. */
  read(sha256: string, max_bytes: number): Promise<Uint8Array | null>;
  /** Null where there is none. The chunks throw BlobDamaged before the last one is given, so that nobody gets wrong bytes whole. */
  stream(sha256: string): Promise<{ size_bytes: number; chunks: AsyncIterable<Uint8Array> } | null>;
  /** The size as the store has it, not verified; null where there is none. */
  size(sha256: string): Promise<number | null>;
  has(sha256: string): Promise<boolean>;
  /** Succeeds also where there is none. */
  remove(sha256: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Passes chunks on, one behind: the last is given only where all of them hash to `sha256`. @throws BlobDamaged. */
export async function* verified(chunks: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | null = null;
  for await (const chunk of chunks) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) throw new BlobDamaged(sha256);
  if (held) yield held;
}

/** Passes an upload's chunks to `write`, counts them and checks them at the end. @throws DlqError unprocessable. */
export async function takeIn(
  chunks: AsyncIterable<Uint8Array>,
  sha256: string,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number> {
  const hash = createHash('sha256');
  let size_bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size_bytes += chunk.byteLength;
    await write(chunk);
  }
  const actual = hash.digest('hex');
  if (actual !== sha256) throw wrongHash(sha256, actual);
  return size_bytes;
}

/** Whether the store has the blob, verified: one that is damaged is to be written again. */
export async function isWhole(store: BlobStore, sha256: string): Promise<boolean> {
  const found = await store.stream(sha256);
  if (!found) return false;
  try {
    for await (const _ of found.chunks);
    return true;
  } catch (error) {
    if (error instanceof BlobDamaged) return false;
    throw error;
  }
}

/** Reads a verified blob into memory. @throws DlqError too_large at once where it is over `max_bytes`. */
export async function collect(store: BlobStore, sha256: string, max_bytes: number): Promise<Uint8Array | null> {
  const found = await store.stream(sha256);
  if (!found) return null;
  if (found.size_bytes > max_bytes) throw blobTooLarge(sha256, found.size_bytes, max_bytes);
  const bytes = new Uint8Array(found.size_bytes);
  let at = 0;
  for await (const chunk of found.chunks) {
    // A file that grew since its size was read is not what was stored.
    if (at + chunk.byteLength > bytes.byteLength) throw new BlobDamaged(sha256);
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== bytes.byteLength) throw new BlobDamaged(sha256);
  return bytes;
}
