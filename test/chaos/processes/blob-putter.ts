import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { sha256Of } from '@/test/support/sha256-of';

/** Puts random blobs of `size_bytes` into the folder of BLOBS, one after the other, for ever; tells when it begins, is half way and has stored. */
const store = openBlobStore(process.env.BLOBS ?? '', {});
const size_bytes = Number(process.env.SIZE_BYTES);

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  let half = false;
  for (let at = 0; at < bytes.byteLength; at += 65_536) {
    yield bytes.subarray(at, at + 65_536);
    if (at < size_bytes / 2 || half) continue;
    half = true;
    process.send?.({ kind: 'half' });
    // long enough to be killed in
    await wait(100);
  }
}

process.send?.({ kind: 'ready' });
for (;;) {
  const bytes = randomBytes(size_bytes);
  const sha256 = sha256Of(bytes);
  process.send?.({ kind: 'putting', sha256 });
  await store.put(sha256, chunksOf(bytes));
  process.send?.({ kind: 'stored', sha256 });
}
