import type { Db } from '@/db/client';
import { forgetBlob } from '@/db/queries/forget-blob';
import { listUnnamedBlobs } from '@/db/queries/list-unnamed-blobs';
import { registerBlobs } from '@/db/queries/register-blobs';
import { DirectoryStore } from './directory-store';
import type { BlobContext } from './store-blob';

export interface Pruned {
  removed: number;
  removed_bytes: number;
  /** Blobs that only the store knew of; they are young from now on. */
  registered: number;
  /** Pieces of uploads that ended with their process. */
  left_overs: number;
}

const CHUNK = 500;

/**
 * Removes the blobs that no payload names and that were last put longer ago than the grace. A blob is removed while its
 * row is locked, its bytes before its row is gone for others: an upload of the same bytes waits, and then writes them anew;
 * a capture that names it holds the row until it has committed, and is then seen. With `dry_run` nothing is removed.
 */
export async function pruneBlobs(
  ctx: BlobContext,
  { grace_ms, dry_run }: { grace_ms: number; dry_run: boolean },
): Promise<Pruned> {
  const { db, store } = ctx;
  const pruned: Pruned = { removed: 0, removed_bytes: 0, registered: 0, left_overs: 0 };
  if (!dry_run) {
    pruned.registered = await registerUnknown(ctx);
    if (store instanceof DirectoryStore) pruned.left_overs = await store.removeLeftOvers(new Date());
  }
  for (let after = ''; ; ) {
    const found = await listUnnamedBlobs(db, { grace_ms, after, limit: CHUNK });
    for (const { sha256, size_bytes } of found) {
      if (!dry_run && !(await removeOne(ctx, sha256, grace_ms))) continue;
      pruned.removed += 1;
      pruned.removed_bytes += size_bytes;
    }
    const last = found.at(-1);
    if (!last) return pruned;
    after = last.sha256;
  }
}

function removeOne({ db, store }: BlobContext, sha256: string, grace_ms: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await forgetBlob(tx, sha256, grace_ms))) return false;
    await store.remove(sha256);
    return true;
  });
}

/** A store that was filled by hand, or outlived its database, holds blobs that no row speaks of. */
async function registerUnknown({ db, store }: BlobContext): Promise<number> {
  let registered = 0;
  let chunk: { sha256: string; size_bytes: number }[] = [];
  const flush = async (into: Db) => {
    registered += await registerBlobs(into, chunk);
    chunk = [];
  };
  for await (const { sha256, size_bytes } of store.list()) {
    chunk.push({ sha256, size_bytes });
    if (chunk.length === CHUNK) await flush(db);
  }
  if (chunk.length > 0) await flush(db);
  return registered;
}
