import { blobReaders } from '@/db/queries/blob-readers';
import { DlqError } from '@/lib/contract/error';
import { payloadRef } from '@/lib/dead-letter/size-rule';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { noSuchBlob } from './blob-errors';
import type { BlobContext } from './store-blob';

/** Up to this size a blob is read twice: a damaged one is then an error, not an answer that breaks off. */
const VERIFY_BEFORE_BYTES = 64_000_000;

/**
 * A blob to be sent on. A viewer gets one only where entries name it and none of them is sensitive.
 * @throws DlqError not_found, forbidden; BlobDamaged at once up to 64 MB, else by the chunks before their end.
 */
export async function openBlob(
  { db, store, actor }: BlobContext & { actor: { role: Role } },
  { sha256, head }: { sha256: string; head: boolean },
): Promise<{ size_bytes: number; chunks: AsyncIterable<Uint8Array> }> {
  if (actor.role === 'viewer') {
    const { named, sensitive } = await blobReaders(db, sha256);
    if (!named || sensitive)
      throw new DlqError(
        'forbidden',
        `the blob ${payloadRef(sha256)} is for operators: a viewer may not read its entry`,
      );
  }
  const found = await store.stream(sha256);
  if (!found) throw noSuchBlob(sha256);
  if (head || found.size_bytes > VERIFY_BEFORE_BYTES) return found;
  for await (const _ of found.chunks);
  return (await store.stream(sha256)) ?? found;
}
