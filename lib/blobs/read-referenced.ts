import type { BlobStore } from '@/lib/blobs/blob-store';
import { DlqError } from '@/lib/contract/error';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';
import { ewkbOfBlob } from '@/lib/wkb/ewkb-of-blob';

/** What a payload_ref leads to: geometry bytes, or why there are none. */
export type Referenced =
  | { wkb: Uint8Array; text: string | null }
  | { problem: 'too_large' | 'missing' | 'damaged'; message: string }
  | { problem: 'unreadable'; message: string; text: string | null };

/**
 * Reads the geometry that a payload_ref names, as the bytes that an inline geometry would have been stored as.
 * @throws DlqError storage_unavailable where the store cannot say now.
 */
export async function readReferenced(
  store: BlobStore,
  { payload_ref, geom_format }: { payload_ref: string; geom_format: string | null },
  max_bytes: number,
): Promise<Referenced> {
  const sha256 = sha256OfRef(payload_ref);
  if (sha256 === null) return { problem: 'missing', message: `“${payload_ref.slice(0, 80)}” names no blob` };
  let bytes: Uint8Array | null;
  try {
    bytes = await store.read(sha256, max_bytes);
  } catch (error) {
    if (!(error instanceof DlqError) || error.code === 'storage_unavailable') throw error;
    return { problem: error.code === 'too_large' ? 'too_large' : 'damaged', message: error.message };
  }
  if (!bytes) return { problem: 'missing', message: `the blob ${payload_ref} is not in the store` };
  const read = ewkbOfBlob(bytes, geom_format);
  return 'wkb' in read ? read : { problem: 'unreadable', message: read.error, text: read.text };
}
