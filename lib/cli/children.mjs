import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Every process this one started and has not seen end. */
const alive = new Set();

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Starts a process in a group of its own: a Ctrl-C in the terminal reaches only the starter, which decides the order.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, log?: string, follow?: boolean, input?: 'pipe' | 'ignore',
 *   uid?: number, gid?: number }} [options] `log`: file for both outputs, else they go to the terminal;
 *   `follow`: an IPC channel by which the child notices that this process has died
 */
export function startChild(command, args, { log, follow = false, input = 'ignore', ...options } = {}) {
  const output = log ? openSync(log, 'a') : 'inherit';
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: follow ? [input, output, output, 'ipc'] : [input, output, output],
  });
  if (typeof output === 'number') closeSync(output);
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  child.once('error', () => alive.delete(child));
  return child;
}

/** @param {number} milliseconds */
const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/**
 * Signals the whole group of a child, so that what the child started ends too.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Asks a child to end and forces its group when it has not within the grace.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} [graceMs]
 */
export async function stopChild(child, graceMs = 15_000) {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await Promise.race([ended(child), pause(graceMs)]);
  }
  signalGroup(child, 'SIGKILL');
  await ended(child);
}

/** @param {number} [graceMs] */
export async function stopAllChildren(graceMs) {
  await Promise.all([...alive].map((child) => stopChild(child, graceMs)));
}

/** For the second Ctrl-C: nothing is waited for. */
export function killAllChildren() {
  for (const child of alive) signalGroup(child, 'SIGKILL');
}
