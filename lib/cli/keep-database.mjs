import { setTimeout as wait } from 'node:timers/promises';
import { howItEnded, inSeconds, restartPauseMs } from './restart-pause.mjs';

/** A server that stood this long was sound: its end begins a new row of failures. */
const soundAfterMs = 60_000;

/** @typedef {Awaited<ReturnType<typeof import('./postgres-process.mjs').runServer>>} Server */

/**
 * Starts the database again whenever it ends unasked (killed, out of memory), for as long as nobody stops it: the
 * application waits for it and goes on. A start is refused while a backend of the dead server still holds its shared
 * memory; the next one, a little later, is not.
 * @param {Server} server
 * @param {(signal: AbortSignal) => Promise<Server>} run
 * @param {{ say?: (line: string) => void }} [options]
 * @returns {{ stop: () => Promise<void> }}
 */
export function keepDatabaseRunning(server, run, { say = console.error } = {}) {
  const stopping = new AbortController();
  let current = server;

  const startAgain = async (failures) => {
    const since = performance.now();
    for (let attempt = 1; ; attempt++) {
      await wait(restartPauseMs(failures + attempt - 1), undefined, { signal: stopping.signal });
      try {
        const next = await run(stopping.signal);
        say(`  The database answers again (start ${attempt}, ${inSeconds(performance.now() - since)}).`);
        return next;
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        const pause = inSeconds(restartPauseMs(failures + attempt));
        say(
          `  The database did not start (${error.reason ?? error.message}); trying again in ${pause}. Ctrl-C gives up.`,
        );
      }
    }
  };

  const watch = async () => {
    for (let failures = 0; ; failures++) {
      const since = performance.now();
      const end = await current.end;
      if (stopping.signal.aborted) return;
      if (performance.now() - since > soundAfterMs) failures = 0;
      say(`  The database ended by itself (${howItEnded(end)}); starting it again.`);
      current = await startAgain(failures);
      // A start that was under way at the stop may still have come through.
      if (stopping.signal.aborted) await current.stop();
    }
  };
  const watched = watch().catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });

  const stop = async () => {
    stopping.abort();
    await current.stop();
    await watched;
  };
  return { stop };
}
