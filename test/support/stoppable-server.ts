import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '@/db/migrate';
import { clusterUser, temporaryFolder } from '@/lib/cli/cluster-home.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { provideInstallation } from '@/lib/cli/postgres-installation.mjs';
import { connectionString, initialiseCluster, newPassword, runServer } from '@/lib/cli/postgres-process.mjs';

/** A PostgreSQL that a test stops, crashes, freezes and starts again on the same port, with one migrated database. */
export interface StoppableServer {
  url: string;
  port: number;
  /** A fast shutdown: what runs is ended, what connects is refused. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** SIGKILL of the postmaster and all its backends: the next start recovers from the log. */
  crash: () => Promise<void>;
  /** SIGSTOP and SIGCONT of the postmaster and all its backends: connections stay open and nothing answers. */
  freeze: () => void;
  thaw: () => void;
  remove: () => Promise<void>;
}

export async function makeStoppableServer(): Promise<StoppableServer> {
  const { bin } = await provideInstallation(null);
  const user = clusterUser();
  const home = mkdtempSync(path.join(temporaryFolder(user), 'dlo-stop-'));
  const folder = path.join(home, 'postgres');
  mkdirSync(folder, { mode: 0o700 });
  if (user) for (const one of [home, folder]) chownSync(one, user.uid, user.gid);
  const password = newPassword();
  initialiseCluster({ bin, folder, password, user });
  const port = await freePort();
  const run = () =>
    runServer({
      bin,
      folder,
      port,
      user,
      log: path.join(home, 'log'),
      settings: ['fsync=off', 'full_page_writes=off'],
    });
  let server: { stop: () => Promise<void>; end: Promise<unknown> } | null = await run();
  let frozen: number[] = [];
  const thaw = () => signalAll(frozen.splice(0), 'SIGCONT');
  const stop = async () => {
    thaw();
    await server?.stop();
    server = null;
  };
  const crash = async () => {
    const dying = server;
    frozen = [];
    const postmaster = processesOf(folder).slice(0, 1);
    // Stopped, it starts no backend between the look at its children and their end: one that stays would hold the memory
    // that the next server needs.
    signalAll(postmaster, 'SIGSTOP');
    for (const pid of postmaster) await until(() => 'TZX'.includes(statOf(pid).state));
    const all = processesOf(folder);
    signalAll(all, 'SIGKILL');
    await dying?.end;
    for (const pid of all) await until(() => 'ZX'.includes(statOf(pid).state));
    server = null;
  };
  const freeze = () => {
    frozen = processesOf(folder);
    signalAll(frozen, 'SIGSTOP');
  };
  const start = async () => {
    server ??= await run();
  };
  const remove = async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const admin = new pg.Client({ connectionString: connectionString({ port, password, database: 'postgres' }) });
    await admin.connect();
    await admin.query('create database queue');
    await admin.end();
    const url = connectionString({ port, password, database: 'queue' });
    await migrate({ url, folder: path.join(import.meta.dirname, '../../migrations') });
    return { url, port, stop, start, crash, freeze, thaw, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The postmaster first, then what it started; empty where none runs. */
export function processesOf(folder: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name).parent === postmaster)
    .map(Number);
  return [postmaster, ...children];
}

/** X where there is no such process any more. */
function statOf(pid: number | string): { state: string; parent: number } {
  try {
    const [state = 'X', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return { state: 'X', parent: 0 };
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
