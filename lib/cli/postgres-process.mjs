import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ended } from './children.mjs';
import { temporaryFolder } from './cluster-home.mjs';
import { Refusal } from './project.mjs';
import { howItEnded } from './restart-pause.mjs';
import { tail } from './steps.mjs';

/** @typedef {import('./cluster-home.mjs').ClusterUser} ClusterUser */
/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, error?: Error }} End */

/** The role and, in the private cluster, the database of the application. */
export const roleName = 'dlo';

/**
 * Runs the server until its input closes: it ends with a fast shutdown when the starter ends, also by kill -9, and
 * so never stays behind. A shell does it because the cluster's user may not be able to reach this Node.
 */
const supervise = `
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ cat <&3 >/dev/null; kill -INT "$server" 2>/dev/null; } & watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"`;

/** The PG* variables of the person at the terminal are about other servers. */
export function cleanEnvironment(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', ...extra };
}

export const newPassword = () => randomBytes(24).toString('hex');

/**
 * @param {{ bin: string, folder: string, password: string, user: ClusterUser }} cluster `folder` is empty and the user's
 */
export function initialiseCluster({ bin, folder, password, user }) {
  const holder = mkdtempSync(join(temporaryFolder(user), 'dlo-initdb-'));
  const file = join(holder, 'password');
  writeFileSync(file, password, { mode: 0o600 });
  if (user) for (const path of [file, holder]) chownSync(path, user.uid, user.gid);
  try {
    const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
    const args = [
      '-D',
      folder,
      '-U',
      roleName,
      '-A',
      'scram-sha-256',
      `--pwfile=${file}`,
      '-E',
      'UTF8',
      `--locale=${locale}`,
    ];
    const made = spawnSync(join(bin, 'initdb'), [...args, '--data-checksums', '--no-sync'], {
      ...user,
      cwd: holder,
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Refusal(`initdb failed:\n${made.stderr || made.error?.message}`);
  } finally {
    rmSync(holder, { recursive: true, force: true });
  }
}

/**
 * Starts a server on 127.0.0.1 only, without a socket, and waits until it takes connections.
 * @param {{ bin: string, folder: string, port: number, user: ClusterUser, log: string, settings?: string[],
 *   signal?: AbortSignal }} cluster `signal` breaks the wait off, and stops what was started
 * @returns {Promise<{ stop: () => Promise<void>, end: Promise<End> }>} `end`: when it has ended, for whatever reason
 */
export async function runServer({ bin, folder, port, user, log, settings = [], signal }) {
  const output = openSync(log, 'a');
  const logged = fstatSync(output).size;
  const fixed = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const child = spawn(
    '/bin/sh',
    ['-c', supervise, 'sh', join(bin, 'postgres'), '-D', folder, '-p', String(port), ...fixed],
    {
      ...user,
      cwd: folder,
      env: cleanEnvironment(),
      detached: true,
      stdio: ['pipe', output, output],
    },
  );
  closeSync(output);
  child.stdin?.on('error', () => {});
  let over = false;
  /** @type {Promise<End>} */
  const end = ended(child)
    .catch((error) => ({ code: null, signal: null, error }))
    .then((how) => {
      over = true;
      // Also stops a server that has lost its supervisor alone.
      child.stdin?.destroy();
      return how;
    });
  const stop = async () => {
    child.stdin?.destroy();
    await end;
  };
  const until = () => over || signal?.aborted === true;
  if (await answers({ bin, port, patienceMs: 180_000, until })) return { stop, end };
  await stop();
  const refusal = new Refusal(`PostgreSQL did not start. The end of ${log}:\n${tail(log)}`);
  throw Object.assign(refusal, { reason: `${fatalReason(log, logged) ?? howItEnded(await end)}; log: ${log}` });
}

/** What the backends of a dead server and those who knock too early are told is no reason why a server does not start. */
const toldToClients = /terminating connection|database system is|because of crash of another server process/;

/**
 * @param {string} log
 * @param {number} from the byte at which a start began
 * @returns {string | null} the reason that PostgreSQL gave for ending
 */
function fatalReason(log, from) {
  const written = readFileSync(log).subarray(from).toString('utf8');
  const reasons = written.split('\n').flatMap((line) => /(?:FATAL|PANIC): +(.+)$/.exec(line)?.[1] ?? []);
  return reasons.findLast((reason) => !toldToClients.test(reason)) ?? null;
}

/**
 * @param {{ bin: string, port: number, patienceMs: number, until?: () => boolean }} server
 * @returns {Promise<boolean>} whether it takes connections before the patience or the server ends
 */
export async function answers({ bin, port, patienceMs, until = () => false }) {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && !until()) {
    const asked = spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port), '-d', 'postgres'], {
      env: cleanEnvironment(),
    });
    if (asked.status === 0) return !until();
    await wait(100);
  }
  return false;
}

/**
 * @param {{ port: number, password: string, database?: string }} server
 * @returns {string}
 */
export const connectionString = ({ port, password, database = roleName }) =>
  `postgres://${roleName}:${password}@127.0.0.1:${port}/${database}`;

/**
 * @param {{ bin: string, port: number, password: string }} server
 * @param {string} sql
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
export function runSql({ bin, port, password }, sql) {
  const args = ['-XAtq', '-h', '127.0.0.1', '-p', String(port), '-U', roleName, '-d', 'postgres', '-c', sql];
  return spawnSync(join(bin, 'psql'), args, { env: cleanEnvironment({ PGPASSWORD: password }), encoding: 'utf8' });
}
