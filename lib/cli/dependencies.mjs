import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLogged, step } from './steps.mjs';

/**
 * @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} Lock
 */

/**
 * Whether what npm says it installed is what the lock asks for. Versions are compared, not file times: a fresh clone,
 * a copied folder and a switched branch all give times that mislead.
 * @param {Lock | null} lock package-lock.json
 * @param {Lock | null} installed node_modules/.package-lock.json, which npm writes last
 * @returns {boolean}
 */
export function areDependenciesCurrent(lock, installed) {
  if (!lock?.packages || !installed?.packages) return false;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed.packages?.[path];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {string} root */
export async function installDependencies(root) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (areDependenciesCurrent(lock, readJson(join(root, 'node_modules', '.package-lock.json')))) return;
  // The build needs the development packages also where NODE_ENV=production is set.
  await step('npm packages (npm ci)', () =>
    runLogged('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { log: 'npm', cwd: root }),
  );
}
