import { again } from '@/db/again';
import type { Db } from '@/db/client';
import { announceBlob } from '@/db/queries/announce-blob';
import { recordBlob } from '@/db/queries/record-blob';
import { renewDiagnoses } from '@/db/queries/renew-diagnoses';
import type { StoredAnswer } from '@/lib/contract/blob';
import { DlqError } from '@/lib/contract/error';
import { payloadRef } from '@/lib/dead-letter/size-rule';
import type { BlobStore } from './blob-store';

export interface BlobContext {
  db: Db;
  store: BlobStore;
}

/**
 * Stores a blob and tells the database, before and after: a blob that is announced is young, so that it is not removed
 * between its upload and the capture that names it. Entries that waited for it are diagnosed anew.
 * @throws DlqError unprocessable where the bytes are others; storage_unavailable; conflict where it was removed meanwhile.
 */
export async function storeBlob(
  { db, store }: BlobContext,
  { sha256, chunks, signal }: { sha256: string; chunks: AsyncIterable<Uint8Array>; signal?: AbortSignal },
): Promise<StoredAnswer> {
  await announceBlob(db, sha256);
  const { size_bytes, created } = await store.put(sha256, chunks, signal);
  await recordBlob(db, sha256, size_bytes);
  // An upload that took longer than the grace of a removal may have lost its bytes before it was recorded.
  if (!(await store.has(sha256)))
    throw new DlqError('conflict', `the blob ${payloadRef(sha256)} was removed while it was put; put it again`);
  if (created) await again(() => renewDiagnoses(db, sha256));
  return { sha256, size_bytes, created };
}
