import { setTimeout as wait } from 'node:timers/promises';
import { ended, signalGroup } from './children.mjs';
import { Refusal } from './project.mjs';
import { readableTail } from './readable-log.mjs';
import { howItEnded, inSeconds, restartPauseMs } from './restart-pause.mjs';

/** A server that ends more often than this within a minute would only go on doing so. */
const mostEnds = 5;
const withinMs = 60_000;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * Starts the web process again when it ends unasked (killed, out of memory). The database goes on meanwhile.
 * @param {ChildProcess} first
 * @param {{ start: () => ChildProcess, isReady: (child: ChildProcess) => Promise<boolean>, goOn: () => void, log: string,
 *   say?: (line: string) => void }} options `goOn` throws once a stop was asked for
 * @returns {Promise<never>} rejects when it ends too often, with what the reader can do, and when a stop was asked for
 */
export async function keepWebRunning(first, { start, isReady, goOn, log, say = console.error }) {
  let ends = [];
  for (let child = first; ; ) {
    const how = howItEnded(await ended(child).catch((error) => ({ code: null, signal: null, error })));
    goOn();
    // What it started may still hold its port.
    signalGroup(child, 'SIGKILL');
    const now = performance.now();
    ends = [...ends.filter((end) => now - end < withinMs), now];
    if (ends.length > mostEnds) throw new Refusal(endsTooOften(ends.length, how, log));
    const pause = restartPauseMs(ends.length - 1);
    say(`  The server ended by itself (${how}); starting it again in ${inSeconds(pause)}. Log: ${log}`);
    await wait(pause);
    goOn();
    const next = start();
    child = next;
    isReady(next).then((ready) => {
      if (ready) return say(`  The server answers again (${inSeconds(performance.now() - now)}).`);
      const alive = next.exitCode === null && next.signalCode === null;
      if (alive) say(`  The server runs again but is not ready yet. The end of ${log}:\n${readableTail(log)}`);
    });
  }
}

/**
 * @param {number} count
 * @param {string} how the last one ended
 * @param {string} log
 */
function endsTooOften(count, how, log) {
  const advice =
    how === 'SIGKILL'
      ? 'SIGKILL without anybody sending it mostly means that the memory ran out: free some, then run npm start again.'
      : 'Solve what the log names, then run npm start again.';
  return `The server ended ${count} times within a minute, the last time by ${how}; it is not started again. What is stored stays, and pipelines with a spool keep their captures there. The end of ${log}:\n${readableTail(log)}\n${advice}`;
}
