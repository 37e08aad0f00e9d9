import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { clusterHome } from './cluster-home.mjs';
import { freePort } from './free-port.mjs';
import { keepDatabaseRunning } from './keep-database.mjs';
import { isProcessAlive } from './lease.mjs';
import { provideInstallation } from './postgres-installation.mjs';
import {
  answers,
  connectionString,
  initialiseCluster,
  newPassword,
  roleName,
  runServer,
  runSql,
} from './postgres-process.mjs';
import { logFile, Refusal } from './project.mjs';
import { step } from './steps.mjs';

/**
 * @param {string} text of postmaster.pid
 * @returns {{ pid: number, port: number } | null}
 */
export function parsePostmasterFile(text) {
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return Number.isInteger(pid) && pid > 0 && Number.isInteger(port) && port > 0 ? { pid, port } : null;
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @param {string} folder of the cluster
 * @returns {{ pid: number, port: number, alive: boolean } | null} what its lock file says, checked against the process
 */
function lockOf(folder) {
  const lock = parsePostmasterFile(readText(join(folder, 'postmaster.pid')) ?? '');
  if (!lock) return null;
  if (!isProcessAlive(lock.pid)) return { ...lock, alive: false };
  try {
    // A server's working folder is its data folder; after a restart the number may be another program's.
    return { ...lock, alive: readlinkSync(`/proc/${lock.pid}/cwd`) === realpathSync(folder) };
  } catch {
    return { ...lock, alive: true };
  }
}

/**
 * @param {string} home
 * @returns {string}
 */
function passwordOf(home) {
  const password = readText(join(home, 'postgres.password'));
  if (password) return password;
  throw new Refusal(
    `The password of the database is missing: ${join(home, 'postgres.password')}. Put it back, or move ${join(home, 'postgres')} away to begin with an empty database.`,
  );
}

/** @returns {string | null} the connection string of the private cluster, null when it does not run */
export function runningClusterUrl() {
  const { home } = clusterHome();
  const folder = join(home, 'postgres');
  const lock = existsSync(folder) ? lockOf(folder) : null;
  return lock?.alive ? connectionString({ port: lock.port, password: passwordOf(home) }) : null;
}

/**
 * Finds, makes or starts this copy's own PostgreSQL. A server that runs already is used and left running.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPrivateCluster() {
  // Packages first: they make the user that the folder is tried with.
  await provideInstallation(null);
  const { home, user, elsewhere } = clusterHome();
  const folder = join(home, 'postgres');
  const major = readText(join(folder, 'PG_VERSION'));
  const { bin } = await provideInstallation(major === null ? null : Number(major), folder);
  if (elsewhere)
    console.log(`  The database is kept in ${home}, because the user "postgres" cannot enter this folder.`);

  if (major === null) await step('New private database (initdb)', async () => makeCluster({ bin, home, folder, user }));
  const password = passwordOf(home);
  const lock = lockOf(folder);
  if (lock?.alive) {
    const ready = await step('Database (already running)', () => answers({ bin, port: lock.port, patienceMs: 60_000 }));
    if (!ready)
      throw new Refusal(
        `PostgreSQL (process ${lock.pid}) runs in ${folder} but takes no connections. Stop it, then try again.`,
      );
    ensureDatabase({ bin, port: lock.port, password });
    return { url: connectionString({ port: lock.port, password }), stop: async () => {} };
  }
  const portFile = join(home, 'postgres.port');
  const port = await freePort(Number(readText(portFile)) || null);
  const run = (signal) => {
    // PostgreSQL judges the lock of a dead server itself, but takes a program that has the number now for a server.
    const left = lockOf(folder);
    if (left && !left.alive && isProcessAlive(left.pid)) rmSync(join(folder, 'postmaster.pid'), { force: true });
    return runServer({ bin, folder, port, user, log: logFile('postgres'), signal });
  };
  const server = keepDatabaseRunning(await step('Database (PostgreSQL)', () => run()), run);
  try {
    writeFileSync(portFile, `${port}\n`);
    ensureDatabase({ bin, port, password });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: connectionString({ port, password }), stop: server.stop };
}

/** The folder gets its name only when it is whole, so that a start broken off leaves nothing half-made in use. */
function makeCluster({ bin, home, folder, user }) {
  const unfinished = join(home, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  const password = newPassword();
  mkdirSync(unfinished, { mode: 0o700 });
  if (user) chownSync(unfinished, user.uid, user.gid);
  initialiseCluster({ bin, folder: unfinished, password, user });
  writeFileSync(join(home, 'postgres.password'), `${password}\n`, { mode: 0o600 });
  renameSync(unfinished, folder);
}

/** @param {{ bin: string, port: number, password: string }} server */
function ensureDatabase(server) {
  const asked = runSql(server, `select 1 from pg_database where datname = '${roleName}'`);
  if (asked.status === 0 && asked.stdout.trim() === '1') return;
  const made = asked.status === 0 ? runSql(server, `create database ${roleName}`) : asked;
  if (made.status !== 0) throw new Refusal(`The private database refused its own user:\n${made.stderr}`);
}
