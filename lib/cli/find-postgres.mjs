import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The oldest server whose SQL the migrations may use, and the oldest PostGIS with every function they call. */
export const oldestMajor = 14;
export const oldestPostgis = '3.3';

/**
 * @typedef {{ major: number, bin: string, postgis: string | null }} Installation
 *   `postgis`: the version that CREATE EXTENSION would give, null when there is none
 * @typedef {{ installation: Installation }
 *   | { problem: 'none' | 'server_too_old' | 'no_postgis' | 'postgis_too_old' | 'major_gone', newest: Installation | null }} Choice
 */

/**
 * @param {string} a
 * @param {string} b
 * @returns {number} below 0 when version a is older than b
 */
export function compareVersions(a, b) {
  const [x, y] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Picks the newest server that can hold the queue; for a cluster that exists already only its own major can read it.
 * @param {Installation[]} installations
 * @param {number | null} clusterMajor
 * @returns {Choice}
 */
export function chooseInstallation(installations, clusterMajor) {
  const newestFirst = [...installations].sort((a, b) => b.major - a.major);
  const newest = newestFirst[0] ?? null;
  if (!newest) return { problem: 'none', newest };
  const readable = clusterMajor === null ? newestFirst : newestFirst.filter(({ major }) => major === clusterMajor);
  if (readable.length === 0) return { problem: 'major_gone', newest };
  const recent = readable.filter(({ major }) => major >= oldestMajor);
  if (recent.length === 0) return { problem: 'server_too_old', newest: readable[0] };
  const spatial = recent.filter(({ postgis }) => postgis !== null);
  if (spatial.length === 0) return { problem: 'no_postgis', newest: recent[0] };
  const installation = spatial.find(({ postgis }) => compareVersions(postgis, oldestPostgis) >= 0);
  return installation ? { installation } : { problem: 'postgis_too_old', newest: spatial[0] };
}

/** @param {string} text output of `postgres --version` */
export function parseMajor(text) {
  const found = /\) (\d+)/.exec(text);
  return found ? Number(found[1]) : null;
}

/** @param {string} text a PostgreSQL extension's control file */
export function parseDefaultVersion(text) {
  return /^\s*default_version\s*=\s*'([^']+)'/m.exec(text)?.[1] ?? null;
}

/** @returns {string[]} folders that may hold server binaries */
function candidateFolders() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const [parent, pattern, inside] of [
    ['/usr/lib/postgresql', /^\d+$/, 'bin'],
    ['/usr', /^pgsql-\d+$/, 'bin'],
    ['/opt/homebrew/opt', /^postgresql@\d+$/, 'bin'],
  ]) {
    if (!existsSync(parent)) continue;
    for (const name of readdirSync(parent)) if (pattern.test(name)) folders.push(join(parent, name, inside));
  }
  return folders;
}

/** @param {string} bin @param {number} major */
function postgisVersion(bin, major) {
  const shared = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  const guesses = [
    shared.status === 0 ? shared.stdout.trim() : null,
    join(dirname(dirname(dirname(dirname(bin)))), 'share', 'postgresql', String(major)),
    join(dirname(bin), 'share', 'postgresql'),
  ];
  for (const folder of guesses) {
    const control = folder && join(folder, 'extension', 'postgis.control');
    if (control && existsSync(control)) return parseDefaultVersion(readFileSync(control, 'utf8'));
  }
  return null;
}

/** @returns {Installation[]} every PostgreSQL server on this machine, each once */
export function findInstallations() {
  const found = new Map();
  for (const folder of candidateFolders()) {
    if (!['postgres', 'initdb', 'psql'].every((name) => existsSync(join(folder, name)))) continue;
    const bin = dirname(realpathSync(join(folder, 'postgres')));
    if (found.has(bin)) continue;
    const major = parseMajor(spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout ?? '');
    if (major !== null) found.set(bin, { major, bin, postgis: postgisVersion(bin, major) });
  }
  return [...found.values()];
}
