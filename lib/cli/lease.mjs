import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A lease is a small file that says "this process holds this". It is void once that process is gone, so a kill -9
 * leaves nothing to clean up. The start time guards against the number being given to another process.
 * @typedef {{ pid: number, started: string | null, port: number | null }} Lease
 */

/**
 * @param {number} pid
 * @returns {string | null} start time in clock ticks since boot; null where the system does not tell
 */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces; the start time is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
export function isProcessAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * @param {string} file
 * @returns {Lease | null} the lease in force, null when there is none or its holder is gone
 */
export function readLease(file) {
  try {
    const lease = JSON.parse(readFileSync(file, 'utf8'));
    if (!isProcessAlive(lease.pid)) return null;
    return lease.started === startTime(lease.pid) ? lease : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} file
 * @param {number | null} [port]
 * @returns {{ holder: Lease } | { release: () => void }} who holds it already, or the way to give it back
 */
export function takeLease(file, port = null) {
  const lease = JSON.stringify({ pid: process.pid, started: startTime(process.pid), port });
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    try {
      writeFileSync(file, lease, { flag: 'wx' });
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = readLease(file);
      if (holder) return { holder };
      rmSync(file, { force: true });
    }
  }
}

/**
 * @param {string} folder
 * @returns {Lease[]} the leases in force among the files of a folder
 */
export function liveLeases(folder) {
  try {
    return readdirSync(folder).flatMap((name) => readLease(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}
