import type { Db } from '@/db/client';
import type { SpoolProgress } from '@/db/queries/advance-spool-file';
import type { ClaimedFile } from '@/db/queries/claim-spool-file';
import { listFilesWithOpenLines } from '@/db/queries/list-files-with-open-lines';
import { listSettledFiles } from '@/db/queries/list-settled-files';
import { noteSpoolSource, type SourceLook } from '@/db/queries/note-spool-source';
import { pruneSpoolFiles } from '@/db/queries/prune-spool-files';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { FilePauses } from './file-pauses';
import { loadSource, workerName } from './load-source';
import { type BlobSink, moveBlobs } from './move-blobs';
import { isOnDatabaseFilesystem } from './same-filesystem';
import { atSource, SourceError } from './source-error';
import type { SpoolSource } from './spool-source';

export interface WatchInput {
  db: Db;
  sources: readonly SpoolSource[];
  blobs: BlobSink | null;
  /** A random text that tells this worker from others of the process. */
  worker: string;
  keep_days: number;
}

/** What a look found is written when it changed, and else this often. */
const NOTE_MS = 30_000;
const PRUNE_MS = 3_600_000;
/** Payloads that no line of a file here has taken along (their capture reached the server, and they did not) go alone. */
const SWEEP_MS = 60_000;

/**
 * The watch over spools: each call seals what writers left, loads what waits and now and then prunes what is loaded;
 * answers how many files it loaded. A source that cannot be reached is noted and never holds up another.
 */
export function watchSpools(input: WatchInput): (signal: AbortSignal) => Promise<number> {
  const watches = input.sources.map((source) => watchSource(input, source));
  return async (signal) => {
    let loaded = 0;
    for (const look of watches) if (!signal.aborted) loaded += await look(signal);
    return loaded;
  };
}

function watchSource(input: WatchInput, source: SpoolSource): (signal: AbortSignal) => Promise<number> {
  const { db, blobs } = input;
  const worker = workerName(input.worker);
  const pauses = new FilePauses();
  let noted = { text: '', at: Number.NEGATIVE_INFINITY };
  let pruned_at = Number.NEGATIVE_INFINITY;
  let swept_at = Number.NEGATIVE_INFINITY;
  let same_filesystem: boolean | null = null;
  let is_away = false;

  async function note(look: SourceLook): Promise<void> {
    const text = JSON.stringify(look);
    if (text === noted.text && performance.now() - noted.at < NOTE_MS) return;
    await noteSpoolSource(db, look);
    noted = { text, at: performance.now() };
  }

  return async (signal) => {
    const { url, kind } = source;
    try {
      await atSource(async () => source.seal?.(new Date()));
      if (kind === 'directory' && performance.now() - noted.at > NOTE_MS) {
        const is_same = await isOnDatabaseFilesystem(db, url);
        if (is_same && !same_filesystem)
          getLog().warn(
            { source: url },
            'the spool lies on the filesystem of the database: a full disk would take both',
          );
        same_filesystem = is_same;
      }
      const noteReached = async () => {
        is_away = false;
        await note({ url, kind, reachable: true, error: null, same_filesystem });
      };
      // a bucket is first asked when it is listed: one that was away is not called back before it has answered
      if (!is_away) await noteReached();
      // the load of what gathered can take an hour, in which it is looked at all the time
      const loading = { db, source, worker, blobs, pauses, on_loaded: logLoaded, on_progress: noteReached };
      const loaded = await loadSource(loading, signal);
      await noteReached();
      if (blobs && performance.now() - swept_at > SWEEP_MS && !signal.aborted) {
        const old = await atSource(async () => (await source.listBlobs?.(new Date(Date.now() - SWEEP_MS))) ?? []);
        await moveBlobs(source, blobs, old);
        swept_at = performance.now();
      }
      if (performance.now() - pruned_at > PRUNE_MS && !signal.aborted) {
        await prune(db, source, new Date(Date.now() - input.keep_days * 86_400_000));
        pruned_at = performance.now();
      }
      return loaded;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!is_away) getLog().warn({ source: url, error: loggableError(error.cause) }, 'the spool cannot be reached');
      is_away = true;
      await note({ url, kind, reachable: false, error: error.message.slice(0, 500), same_filesystem });
      return 0;
    }
  };
}

function logLoaded({ name }: ClaimedFile, { stored, duplicates, rejected }: SpoolProgress): void {
  getLog().info({ file: name, stored, duplicates, rejected }, 'a spool file was loaded');
}

/**
 * Removes what was loaded before `before`, and side files whose lines were all dealt with before it. What holds rejected
 * lines that nobody has dealt with stays, and so does a side file that this database knows nothing of.
 */
async function prune(db: Db, source: SpoolSource, before: Date): Promise<void> {
  const keep = new Set(await listFilesWithOpenLines(db, source.url));
  await atSource(async () => source.prune?.(before, keep));
  const sides = await atSource(async () => (await source.listSideFiles?.(before)) ?? []);
  for (const name of await listSettledFiles(db, { source: source.url, names: sides, before }))
    await atSource(async () => source.removeSideFile?.(name));
  await pruneSpoolFiles(db, { source: source.url, before });
}
