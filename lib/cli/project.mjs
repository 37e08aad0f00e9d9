import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the folder that holds package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where everything that belongs to this copy on this machine lives: cluster, logs, leases. */
export const dataFolder = join(root, '.data');

/**
 * Makes `.data`. Root leaves it searchable for others (not readable), since the cluster inside runs as another user.
 * @returns {string}
 */
export function makeDataFolder() {
  mkdirSync(dataFolder, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(dataFolder, 0o711);
  return dataFolder;
}

/**
 * @param {string} name without extension
 * @returns {string} path of a log file in a folder that only this user reads
 */
export function logFile(name) {
  const folder = join(makeDataFolder(), 'log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${name}.log`);
}

/** Reads `.env` beside package.json; what the environment already says wins. */
export function loadEnvironmentFile() {
  const file = join(root, '.env');
  if (!existsSync(file)) return;
  if (process.loadEnvFile) process.loadEnvFile(file);
  else process.emitWarning(`.env is not read by Node ${process.version}; it needs 20.12 or later`);
}

/**
 * @param {string | undefined} text
 * @returns {number} a TCP port, 3000 when nothing is given
 */
export function parsePort(text) {
  if (text === undefined || text === '') return 3000;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Refusal(`PORT must be a number from 1 to 65535, not "${text}".`);
  return port;
}

/** An end that is the reader's to solve: shown as its message alone, exit code 1. */
export class Refusal extends Error {
  name = 'Refusal';
}
