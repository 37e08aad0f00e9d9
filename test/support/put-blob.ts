import { type BlobContext, storeBlob } from '@/lib/blobs/store-blob';
import { sha256Of } from './sha256-of';

/** Stores bytes as an upload does and answers their hash. */
export async function putBlob(into: BlobContext, bytes: Uint8Array | string): Promise<string> {
  const sha256 = sha256Of(bytes);
  const chunks = async function* () {
    yield Buffer.from(bytes);
  };
  await storeBlob(into, { sha256, chunks: chunks() });
  return sha256;
}
