import { hostname } from 'node:os';
import type { SpoolProgress } from '@/db/queries/advance-spool-file';
import { type ClaimedFile, claimSpoolFile } from '@/db/queries/claim-spool-file';
import { listSpoolWorkers } from '@/db/queries/list-spool-workers';
import { noteSpoolFiles } from '@/db/queries/note-spool-files';
import { releaseSpoolFile } from '@/db/queries/release-spool-file';
import { sqlStateOf } from '@/db/sql-state';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { FilePauses } from './file-pauses';
import { LEASE_S, LeaseLost, type LoadContext, loadFile } from './load-file';
import { isProcessAlive } from './process-alive';
import { atSource, SourceError } from './source-error';

/** Files that one process loads side by side: while PostgreSQL works on one's chunk, another's is read. */
const SLOTS = 2;

export interface LoadSourceInput extends Omit<LoadContext, 'worker'> {
  /** Of this process; see `workerName`. */
  worker: string;
  /** Of the calls before: how often each file has failed. */
  pauses?: FilePauses;
  on_loaded?: (file: ClaimedFile, progress: SpoolProgress) => void;
  on_failed?: (file: ClaimedFile, reason: string) => void;
}

/** Tells workers apart, and whether one of this machine still lives. */
export const workerName = (random: string): string => `${hostname()}:${process.pid}:${random}`;

/**
 * Loads every file of a source that waits and that no other worker holds; answers how many came to their end. A file that
 * fails for a reason of its own is marked and left for later. @throws database errors; the files begun then wait for the next call.
 */
export async function loadSource(input: LoadSourceInput, signal: AbortSignal): Promise<number> {
  const { db, source, pauses = new FilePauses() } = input;
  const files = await atSource(() => source.list());
  const loaded = await noteSpoolFiles(db, source, files);
  // Stored whole, but the process ended before it could move them.
  for (const name of loaded)
    await source.retire(name).catch((error: unknown) => {
      getLog().warn(
        { source: source.url, file: name, error: loggableError(error) },
        'a loaded file cannot be moved now',
      );
    });
  const names = files.map(({ name }) => name).filter((name) => !loaded.has(name));
  if (names.length === 0) return 0;
  const slots = await Promise.allSettled(
    Array.from({ length: SLOTS }, (_, slot) =>
      drain({ ...input, pauses, worker: `${input.worker}/${slot}` }, names, signal),
    ),
  );
  let count = 0;
  for (const slot of slots) {
    if (slot.status === 'rejected') throw slot.reason;
    count += slot.value;
  }
  return count;
}

type Draining = LoadSourceInput & { pauses: FilePauses };

async function drain(ctx: Draining, names: readonly string[], signal: AbortSignal): Promise<number> {
  const { db, source, worker } = ctx;
  const gone = [worker, ...(await listSpoolWorkers(db, source.url)).filter(isGone)];
  for (let count = 0; ; ) {
    if (signal.aborted) return count;
    const file = await claimSpoolFile(db, { source: source.url, names, worker, gone, lease_s: LEASE_S });
    if (!file) return count;
    count += (await loadOne(ctx, file, signal)) ? 1 : 0;
  }
}

async function loadOne(ctx: Draining, file: ClaimedFile, signal: AbortSignal): Promise<boolean> {
  const { db, source, worker } = ctx;
  try {
    const { progress, is_loaded } = await loadFile(ctx, file, signal);
    if (!is_loaded) {
      await releaseSpoolFile(db, { id: file.id, worker, failed: null });
      return false;
    }
    await atSource(() => source.retire(file.name));
    ctx.pauses.forget(file.id);
    ctx.on_loaded?.(file, progress);
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    if (!(error instanceof SourceError) && !isOfThisFile(error)) throw error;
    const cause = error instanceof SourceError ? error.cause : error;
    getLog().warn(
      { source: source.url, file: file.name, error: loggableError(cause) },
      'a spool file cannot be loaded now',
    );
    const message =
      error instanceof SourceError ? error.message : `the database refuses a chunk of it: ${sqlStateOf(error)}`;
    const failed = { error: message.replace(FOR_A_CALLER, '').slice(0, 500), pause_s: ctx.pauses.next(file.id) };
    await releaseSpoolFile(db, { id: file.id, worker, failed });
    ctx.on_failed?.(file, message);
    return false;
  }
}

/** A store's words for one who called it: a file is tried again without anybody's doing. */
const FOR_A_CALLER = /, try again$/;

/** SQLSTATEs of a database that serves nobody now, or that broke off for another's sake. Any other is about these lines. */
const OF_THE_DATABASE = /^(08|53|57P|25|3D|28|40|58)/;

function isOfThisFile(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== '' && !OF_THE_DATABASE.test(code);
}

/** A worker of this machine whose process has ended; of others only the lease tells. */
function isGone(worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(worker) ?? [];
  return host === hostname() && !isProcessAlive(Number(pid));
}
