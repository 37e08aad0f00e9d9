import type { BlobStore } from '@/lib/blobs/blob-store';
import { DlqError } from '@/lib/contract/error';
import { getLog } from '@/lib/log';
import type { ReadLine } from './read-line';
import { atSource, SourceError } from './source-error';
import type { SpoolSource } from './spool-source';

/** What the loader needs of the blob store. */
export type BlobSink = Pick<BlobStore, 'put'>;

/**
 * Moves the payloads that these lines name from beside them into the blob store, before the lines are stored. One that is
 * not there, or is damaged, does not hold its line back: the capture is worth keeping without it.
 */
export async function moveBlobs(source: SpoolSource, blobs: BlobSink, lines: readonly ReadLine[]): Promise<void> {
  const named = new Set(lines.flatMap((line) => ('proposal' in line && line.blob !== null ? [line.blob] : [])));
  for (const sha256 of named) {
    const bytes = await atSource(() => source.readBlob(sha256));
    if (!bytes) continue;
    try {
      await blobs.put(sha256, bytes);
    } catch (error) {
      // A store that cannot serve now holds the file back, with its lines: both wait.
      if (!(error instanceof DlqError && error.code === 'unprocessable')) throw new SourceError(error);
      getLog().warn({ source: source.url, sha256 }, 'a spooled payload is damaged and stays where it is');
      continue;
    }
    await atSource(() => source.releaseBlob(sha256));
  }
}
