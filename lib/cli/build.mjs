import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildClient } from './build-client.mjs';
import { liveLeases } from './lease.mjs';
import { dataFolder, root as projectRoot, Refusal } from './project.mjs';
import { runLogged, step } from './steps.mjs';

/** What `next build` reads. Migrations, public files and the command itself are read when they are used. */
const folders = ['app', 'components', 'lib', 'db'];
const ignored = ['lib/cli', 'db/demo'];
const rootFiles =
  /^(next\.config|postcss\.config|proxy|instrumentation|package|package-lock|tsconfig)\.[cm]?(ts|js|json)$/;

/**
 * @param {string} root
 * @returns {string[]} paths relative to the root, with slashes, sorted
 */
export function buildInputs(root) {
  const inputs = readdirSync(root).filter((name) => rootFiles.test(name));
  for (const folder of folders) {
    let entries = [];
    try {
      entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/');
      if (!ignored.some((prefix) => path.startsWith(`${prefix}/`))) inputs.push(path);
    }
  }
  return inputs.sort();
}

/**
 * @param {string} root
 * @returns {string} sha256 over names and contents of everything the build reads
 */
export function sourceHash(root) {
  const hash = createHash('sha256');
  for (const path of buildInputs(root))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/** @param {string} root */
const stampFile = (root) => join(root, '.next', 'dlo-source-hash');

/**
 * @param {string} root
 * @returns {boolean}
 */
export function isBuildCurrent(root) {
  try {
    return readFileSync(stampFile(root), 'utf8') === sourceHash(root);
  } catch {
    return false;
  }
}

/**
 * Builds the pages when they are older than their sources. Never under a running server: it would answer 500 for
 * every chunk that the new build has renamed.
 * @param {{ always?: boolean }} [options]
 */
export async function ensureBuilt({ always = false } = {}) {
  const root = projectRoot;
  if (!always && isBuildCurrent(root)) return;
  const server = liveLeases(join(dataFolder, 'web'))[0];
  if (server)
    throw new Refusal(
      `The pages are older than their sources, but a server of this folder is running (process ${server.pid}, port ${server.port}). Stop it, then try again.`,
    );
  const hash = sourceHash(root);
  rmSync(stampFile(root), { force: true });
  await step('Build of the client for pipelines (dist)', () => buildClient());
  await step('Build of the pages (next build)', () =>
    runLogged(process.execPath, [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
      log: 'build',
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    }),
  );
  writeFileSync(stampFile(root), hash);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureBuilt({ always: true }).catch((error) => {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  });
}
