import { constants } from 'node:os';

const shortestMs = 200;
const longestMs = 10_000;

/**
 * @param {number} failures how many there were in a row before
 * @returns {number} milliseconds to wait before the next start: 0.2 s, doubled each time, at most 10 s
 */
export const restartPauseMs = (failures) => Math.min(longestMs, shortestMs * 2 ** failures);

/** @param {number} milliseconds */
export const inSeconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * @param {{ code: number | null, signal: NodeJS.Signals | null, error?: Error }} end of a process
 * @returns {string} its signal or exit code; a shell tells the signal that ended its command as 128 more
 */
export function howItEnded({ code, signal, error }) {
  const known = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return error?.message ?? signal ?? known?.[0] ?? `exit ${code}`;
}
