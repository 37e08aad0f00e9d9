/**
 * Called once by Next when a server starts. A thread of this process holds the triage index unless DLO_INDEX=off, and the
 * background worker runs in it unless DLO_WORKER=off; the web process awaits their end before it exits
 * (lib/cli/web-shutdown.mjs reads the list behind this symbol).
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { getConfig } = await import('@/lib/config');
  const { getBlobStore } = await import('@/lib/blobs/open-blob-store');
  const { closePool } = await import('@/db/client');
  const shared = globalThis as { [key: symbol]: (() => Promise<void>)[] | undefined };
  const beforeExit = Symbol.for('dead-letter-office.before-exit');
  const config = getConfig();
  // A bucket without its keys is told at the start, not by the first large capture.
  getBlobStore();
  const { startTriageIndex, stopTriageIndex } = await import('@/lib/follow/triage-index');
  if (config.index !== 'off') startTriageIndex({ database_url: config.database_url });
  if (config.worker === 'off') {
    shared[beforeExit] = [stopTriageIndex, closePool];
    return;
  }
  const { startWorker } = await import('@/lib/worker/run');
  const worker = startWorker();
  shared[beforeExit] = [stopTriageIndex, () => worker.stop().then(closePool)];
}
