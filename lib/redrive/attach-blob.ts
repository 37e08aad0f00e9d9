import type { BlobStore } from '@/lib/blobs/blob-store';
import { readReferenced } from '@/lib/blobs/read-referenced';
import { INLINE_BLOB_BYTES, type PayloadTransport, sha256OfRef } from '@/lib/dead-letter/size-rule';
import type { Rebuildable } from './build-request';

export const isByReference = (row: Pick<Rebuildable, 'payload_ref' | 'geom_wkb' | 'geom_given'>): boolean =>
  row.payload_ref !== null && row.geom_wkb === null && row.geom_given === null;

/**
 * Whether the geometry of a redrive can be sent, asked of the store itself and not of what the database remembers. A blob
 * that goes along is verified; the target verifies one that it fetches.
 */
export async function transportFromStore(store: BlobStore, row: Rebuildable): Promise<PayloadTransport> {
  const sha256 = sha256OfRef(row.payload_ref);
  const size_bytes = sha256 === null ? null : await store.size(sha256);
  if (size_bytes === null) return 'gone';
  if (size_bytes > INLINE_BLOB_BYTES) return 'by_reference';
  return (await attachBlob(store, row)) === null ? 'gone' : 'inline';
}

/** The row as if its geometry were inline; null where its blob is missing or damaged; as it is where the blob is too large to go along. */
export async function attachBlob<Row extends Rebuildable>(store: BlobStore, row: Row): Promise<Row | null> {
  if (row.payload_ref === null) return row;
  const read = await readReferenced(store, { ...row, payload_ref: row.payload_ref }, INLINE_BLOB_BYTES);
  if (!('problem' in read)) return { ...row, geom_wkb: Buffer.from(read.wkb).toString('hex'), geom_given: read.text };
  if (read.problem === 'too_large') return row;
  // An inline text that is no geometry is sent as it was given too.
  return read.problem === 'unreadable' && read.text !== null ? { ...row, geom_given: read.text } : null;
}
