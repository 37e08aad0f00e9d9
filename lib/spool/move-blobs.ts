import type { BlobStore } from '@/lib/blobs/blob-store';
import { DlqError } from '@/lib/contract/error';
import { getLog } from '@/lib/log';
import type { ReadLine } from './read-line';
import { atSource, SourceError } from './source-error';
import type { SpoolSource } from './spool-source';

/** What the loader needs of the blob store. */
export type BlobSink = Pick<BlobStore, 'put'>;

/** The payloads beside them that these lines name. */
export const blobsOf = (lines: readonly ReadLine[]): Set<string> =>
  new Set(lines.flatMap((line) => ('proposal' in line && line.blob !== null ? [line.blob] : [])));

/** What the loader needs of the place that holds the payloads. */
export type BlobPlace = Pick<SpoolSource, 'url' | 'readBlob' | 'releaseBlob' | 'rejectBlob'>;

/**
 * Moves payloads from beside the lines into the blob store; a chunk's own before its lines are stored. One that is not
 * there, or is damaged, does not hold its line back: the capture is worth keeping without it. A damaged one is moved aside,
 * where it takes no room from the spool's writers.
 * @throws SourceError where one of the two places cannot serve now: the lines wait with their payload.
 */
export async function moveBlobs(source: BlobPlace, blobs: BlobSink, hashes: Iterable<string>): Promise<void> {
  for (const sha256 of hashes) {
    const bytes = await atSource(() => source.readBlob(sha256));
    if (!bytes) continue;
    try {
      await blobs.put(sha256, bytes);
    } catch (error) {
      // another loader moved it meanwhile
      if (!(await atSource(() => source.readBlob(sha256)))) continue;
      if (!(error instanceof DlqError && error.code === 'unprocessable')) throw new SourceError(error);
      await atSource(() => source.rejectBlob(sha256));
      getLog().warn({ source: source.url, sha256 }, 'a spooled payload is damaged: a spool keeps it in rejected/blobs');
      continue;
    }
    await atSource(() => source.releaseBlob(sha256));
  }
}
