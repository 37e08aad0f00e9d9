import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder, Refusal, root } from './project.mjs';

/**
 * PostgreSQL refuses to run as root, so root runs it as the user its packages made.
 * @typedef {{ uid: number, gid: number } | null} ClusterUser null: the user who runs this
 */

/** @returns {ClusterUser} */
export function clusterUser() {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  if (uid.status !== 0 || gid.status !== 0)
    throw new Refusal(
      'PostgreSQL does not run as root, and there is no user "postgres" to run it as. Install PostgreSQL from the packages of the system, or start as an ordinary user.',
    );
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * Tried rather than computed from modes: mounts and access lists have their own say.
 * @param {string} folder
 * @param {ClusterUser} user
 */
function canEnter(folder, user) {
  if (user === null) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$1" 2>/dev/null', 'sh', folder], { ...user, cwd: '/' }).status === 0;
}

/**
 * The folder that holds the private cluster and its password: `.data` of this copy, or one below /var/lib that
 * depends on this copy's path where the cluster's user cannot enter `.data`, as below /root.
 * @returns {{ home: string, user: ClusterUser, elsewhere: boolean }}
 */
export function clusterHome() {
  const home = makeDataFolder();
  const user = clusterUser();
  if (canEnter(home, user)) return { home, user: ownerOf(home, user), elsewhere: false };
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const other = join('/var/lib/dead-letter-office', hash);
  mkdirSync(other, { recursive: true, mode: 0o755 });
  chmodSync(other, 0o711);
  return { home: other, user: ownerOf(other, user), elsewhere: true };
}

/** @returns {string} the folder of the blob store that goes with the private cluster: both are kept or moved together */
export const privateBlobs = () => join(clusterHome().home, 'blobs');

/** @returns {string} the folder of the spool that whoever works for the private database loads when none is named */
export const privateSpool = () => join(clusterHome().home, 'spool');

/**
 * Where an ordinary user made the cluster and root starts it now, it goes on running as that user.
 * @param {string} home
 * @param {ClusterUser} user
 * @returns {ClusterUser}
 */
function ownerOf(home, user) {
  const folder = join(home, 'postgres');
  if (!existsSync(folder)) return user;
  const { uid, gid } = statSync(folder);
  if (user !== null) return uid === 0 ? user : { uid, gid };
  if (uid !== process.getuid?.())
    throw new Refusal(
      `The database in ${folder} belongs to another user (uid ${uid}). Start as that user or as root, or set DATABASE_URL.`,
    );
  return null;
}

/**
 * @param {ClusterUser} user
 * @returns {string} a folder for temporary clusters that the user can enter
 */
export function temporaryFolder(user) {
  const folder = [tmpdir(), '/tmp', '/var/tmp'].find((candidate) => existsSync(candidate) && canEnter(candidate, user));
  if (!folder)
    throw new Refusal('No temporary folder that the user "postgres" can enter was found. Set TMPDIR to one.');
  return folder;
}
