import { DlqError } from '@/lib/contract/error';
import { payloadRef } from '@/lib/dead-letter/size-rule';

/** The stored bytes are not those that the name promises. */
export class BlobDamaged extends DlqError {
  constructor(sha256: string) {
    super(
      'internal',
      `the blob ${payloadRef(sha256)} is damaged: its bytes have another hash; put it again to replace it`,
    );
  }
}

export const wrongHash = (sha256: string, actual: string): DlqError =>
  new DlqError('unprocessable', `the bytes do not hash to ${sha256}; they hash to ${actual}: nothing was stored`, {
    sha256: actual,
  });

export const blobTooLarge = (sha256: string, size_bytes: number, max_bytes: number): DlqError =>
  new DlqError(
    'too_large',
    `the blob ${payloadRef(sha256)} has ${size_bytes} bytes, over the ${max_bytes} that are read here`,
  );

export const noSuchBlob = (sha256: string): DlqError =>
  new DlqError('not_found', `the blob ${payloadRef(sha256)} is not in the store; PUT /api/blobs/${sha256} stores it`);

const WORDS: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EFBIG: 'its file system takes no file of this size',
  EROFS: 'its file system is read-only',
  EACCES: 'this process may not write there',
  EPERM: 'this process may not write there',
};

/** The store itself failed: nothing is half-stored, and the same request may succeed once there is room. */
export function storeUnavailable(error: unknown): DlqError {
  if (error instanceof DlqError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return new DlqError(
    'storage_unavailable',
    `the blob store (DLO_BLOBS) cannot serve now: ${WORDS[code] ?? code}; nothing was stored, try again`,
    { code },
  );
}
