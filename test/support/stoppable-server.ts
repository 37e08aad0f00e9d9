import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '@/db/migrate';
import { clusterUser, temporaryFolder } from '@/lib/cli/cluster-home.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { provideInstallation } from '@/lib/cli/postgres-installation.mjs';
import { connectionString, initialiseCluster, newPassword, runServer } from '@/lib/cli/postgres-process.mjs';

/** A PostgreSQL that a test stops and starts again on the same port, with one migrated database. */
export interface StoppableServer {
  url: string;
  /** A fast shutdown: what runs is ended, what connects is refused. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
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
  let server: { stop: () => Promise<void> } | null = await run();
  const stop = async () => {
    await server?.stop();
    server = null;
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
    return { url, stop, start, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
