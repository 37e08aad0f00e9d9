import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { clusterUser, temporaryFolder } from './cluster-home.mjs';
import { freePort } from './free-port.mjs';
import { provideInstallation } from './postgres-installation.mjs';
import { connectionString, initialiseCluster, newPassword, runServer } from './postgres-process.mjs';

/** A server for tests may lose everything at a power cut; it must be fast. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'autovacuum_naptime=10s',
];

/**
 * A PostgreSQL of its own in a temporary folder, gone with this process.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `url`: database `postgres`, as superuser
 */
export async function startThrowawayCluster() {
  const { bin } = await provideInstallation(null);
  const user = clusterUser();
  const home = mkdtempSync(join(temporaryFolder(user), 'dlo-test-'));
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const folder = join(home, 'postgres');
    mkdirSync(folder, { mode: 0o700 });
    if (user) for (const path of [home, folder]) chownSync(path, user.uid, user.gid);
    const password = newPassword();
    initialiseCluster({ bin, folder, password, user });
    const port = await freePort();
    const server = await runServer({ bin, folder, port, user, log: join(home, 'log'), settings });
    const stop = async () => {
      await server.stop();
      remove();
    };
    return { url: connectionString({ port, password, database: 'postgres' }), stop };
  } catch (error) {
    remove();
    throw error;
  }
}
