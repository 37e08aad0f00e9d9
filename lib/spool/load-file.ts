import { again } from '@/db/again';
import type { Db } from '@/db/client';
import { advanceSpoolFile, type SpoolProgress } from '@/db/queries/advance-spool-file';
import type { ClaimedFile } from '@/db/queries/claim-spool-file';
import { insertRejectedLines } from '@/db/queries/insert-rejected-lines';
import { moveLargeGeometry } from '@/lib/ingest/move-large-geometry';
import { type BlobSink, blobsOf, moveBlobs } from './move-blobs';
import { CHUNK_LIMITS, type Chunk, type ChunkLimits, readChunks } from './read-chunks';
import { fileIdentity, type ReadLine } from './read-line';
import { rejectedRow } from './rejected-line';
import { atSource } from './source-error';
import type { SpoolSource } from './spool-source';
import { storeLines } from './store-lines';

/** A worker that does not move a file for this long has lost it; a chunk's statement is broken off after 30 s. */
export const LEASE_S = 90;

export interface LoadContext {
  db: Db;
  source: SpoolSource;
  /** Holds at most one file. */
  worker: string;
  blobs: BlobSink | null;
  limits?: ChunkLimits;
  /** After each chunk, committed, and awaited; `began` is where this load took the file up. */
  on_progress?: (file: ClaimedFile, progress: SpoolProgress, began: SpoolProgress) => unknown;
}

/** Another worker took the file over: nothing of the chunk was stored, and nothing is wrong. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * Loads a claimed file from where it was left; answers how far it came, and whether that is its end (no, where `signal`
 * stopped it after a chunk). The next chunk is read while one is stored.
 * @throws SourceError, LeaseLost, database errors: what was committed before stays.
 */
export async function loadFile(
  ctx: LoadContext,
  file: ClaimedFile,
  signal: AbortSignal,
): Promise<{ progress: SpoolProgress; is_loaded: boolean }> {
  const { source, limits = CHUNK_LIMITS } = ctx;
  const goes_on =
    file.fingerprint !== null &&
    (await atSource(() => source.fingerprint(file.name, file.done_bytes))) === file.fingerprint;
  const began = goes_on ? progressOf(file) : NOTHING;
  const edition = began.edition ?? file.modified_at;
  let state: State = { done_bytes: file.done_bytes, progress: began, is_loaded: false };
  const from = { offset: began.done_bytes, lines: began.lines };
  let storing: Promise<State> = Promise.resolve(state);
  try {
    for await (const chunk of readChunks(
      source,
      file.name,
      from,
      limits,
      fileIdentity({ spool_file_id: file.id, edition }),
    )) {
      state = await storing;
      if (signal.aborted) break;
      const before = state;
      storing = store(ctx, { ...file, edition }, before, chunk).then(async (next) => {
        await ctx.on_progress?.(file, next.progress, began);
        return next;
      });
      // It is awaited after the next chunk is read; until then its failure is nobody's.
      storing.catch(() => {});
    }
  } finally {
    await storing.catch(() => {});
  }
  state = await storing;
  return { progress: state.progress, is_loaded: state.is_loaded };
}

/** `done_bytes` is what the row says; `progress` differs from it only before the first chunk of a file read anew. */
interface State {
  done_bytes: number;
  progress: SpoolProgress;
  is_loaded: boolean;
}

const NOTHING: SpoolProgress = {
  done_bytes: 0,
  fingerprint: null,
  edition: null,
  lines: 0,
  stored: 0,
  duplicates: 0,
  rejected: 0,
};

function progressOf(file: ClaimedFile): SpoolProgress {
  const { done_bytes, fingerprint, edition, lines, stored, duplicates, rejected } = file;
  return { done_bytes, fingerprint, edition, lines, stored, duplicates, rejected };
}

async function store(
  ctx: LoadContext,
  file: ClaimedFile & { edition: string },
  state: State,
  chunk: Chunk,
): Promise<State> {
  const lines = ctx.blobs ? await withPayloads(ctx, ctx.blobs, chunk.read) : chunk.read;
  const fingerprint = await atSource(() => ctx.source.fingerprint(file.name, chunk.to.offset));
  const next = await again(() =>
    ctx.db.transaction(async (tx) => {
      const { rejected, ...counts } = await storeLines(tx, lines);
      const progress: SpoolProgress = {
        done_bytes: chunk.to.offset,
        fingerprint,
        edition: file.edition,
        lines: chunk.to.lines,
        stored: state.progress.stored + counts.stored,
        duplicates: state.progress.duplicates + counts.duplicates,
        rejected: state.progress.rejected + rejected.length,
      };
      // Durable beside the file before the place moves on: a crash between the two repeats it, and it is not written twice.
      if (rejected.length > 0) await atSource(() => ctx.source.reject(file.name, rejected));
      await insertRejectedLines(tx, { spool_file_id: file.id, edition: file.edition }, rejected.map(rejectedRow));
      const held = await advanceSpoolFile(tx, {
        id: file.id,
        worker: ctx.worker,
        from_bytes: state.done_bytes,
        to: progress,
        side_file: rejected.length > 0 ? ctx.source.sideFile(file.name) : null,
        is_loaded: chunk.is_last,
        lease_s: LEASE_S,
      });
      if (!held) throw new LeaseLost(`${file.name} was taken over by another worker`);
      return progress;
    }),
  );
  return { done_bytes: next.done_bytes, progress: next, is_loaded: chunk.is_last };
}

/** The lines when their large payloads are in the blob store: those that lay beside them, and those that they hold. */
async function withPayloads(
  { db, source }: LoadContext,
  blobs: BlobSink,
  lines: readonly ReadLine[],
): Promise<ReadLine[]> {
  await moveBlobs(source, blobs, blobsOf(lines));
  const done: ReadLine[] = [];
  for (const one of lines)
    done.push('proposal' in one ? { ...one, proposal: await moveLargeGeometry(db, one.proposal) } : one);
  return done;
}
