import type { Db } from '@/db/client';
import type { BlobStore } from './blob-store';
import { getBlobStore } from './open-blob-store';
import { storeBlob } from './store-blob';

/** The blob store as one puts into it from outside a request: what is put is known to the database too. */
export function blobSink(db: Db, store: BlobStore = getBlobStore()): Pick<BlobStore, 'put'> {
  return {
    put: (sha256, chunks, signal) => storeBlob({ db, store }, { sha256, chunks, ...(signal ? { signal } : {}) }),
  };
}
