import { createHash } from 'node:crypto';
import type { Db } from '@/db/client';
import type { PayloadEdit } from '@/db/queries/edit-payload';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { storeBlob } from '@/lib/blobs/store-blob';
import { payloadRef, SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';

/**
 * The size rule at this door too: new bytes over it go into the blob store, and the payload names them.
 * @throws DlqError storage_unavailable: a person can try again, so nothing is kept inline instead.
 */
export async function storeLarge(
  db: Db,
  wkb: Uint8Array | null,
  openStore: () => BlobStore,
): Promise<PayloadEdit['geometry']> {
  if (wkb === null) return null;
  if (wkb.byteLength <= SIZE_RULE_BYTES) return { geom_wkb: wkb, payload_ref: null };
  const sha256 = createHash('sha256').update(wkb).digest('hex');
  await storeBlob({ db, store: openStore() }, { sha256, chunks: onePiece(wkb) });
  return { geom_wkb: null, payload_ref: payloadRef(sha256) };
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
