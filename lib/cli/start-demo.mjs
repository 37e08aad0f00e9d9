import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ended, startChild } from './children.mjs';
import { freePort } from './free-port.mjs';
import { dataFolder, logFile, root } from './project.mjs';

const command = join(root, 'lib', 'cli', 'dlo.mjs');
const has = (file) => existsSync(join(root, 'db', 'demo', file));

/**
 * The pipeline that answers the demo's redrives, on a free port, with a secret that lives as long as this run.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<string | null>} the value of DLO_TARGETS that names it; null when there is none to start
 */
export async function startDemoReceiver(env) {
  if (!has('receiver.ts')) return null;
  const url = `http://127.0.0.1:${await freePort()}/redrive`;
  const targets = JSON.stringify({ demo: { type: 'webhook', url, secret: randomBytes(24).toString('hex') } });
  startChild(process.execPath, [command, 'demo', 'receiver'], {
    cwd: root,
    env: { ...process.env, ...env, DLO_TARGETS: targets },
    log: logFile('demo-receiver'),
    follow: true,
  });
  return targets;
}

/**
 * @param {string} url
 * @returns {Promise<boolean>} whether nothing was ever captured
 */
export async function isQueueEmpty(url) {
  const { Client } = createRequire(import.meta.url)('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select not exists (select from dlq.entry) as empty');
    return rows[0].empty;
  } finally {
    await client.end();
  }
}

export const hasDemo = () => has('load.ts');

/** Names the database whose demo is being loaded, as long as it is: a load that broke off goes on at the next start. */
const loadingFile = join(dataFolder, 'demo-loading');
const nameOfDatabase = () =>
  createHash('sha256')
    .update(process.env.DATABASE_URL ?? 'private')
    .digest('hex');

/** Whether the load of this database broke off. */
export const didDemoBreakOff = () => existsSync(loadingFile) && readFileSync(loadingFile, 'utf8') === nameOfDatabase();

/**
 * Runs the demo pipeline; its progress goes to the terminal.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<boolean>} whether it came to its end
 */
export async function loadDemo(env) {
  writeFileSync(loadingFile, nameOfDatabase());
  const child = startChild(process.execPath, [command, 'demo', 'load'], {
    cwd: root,
    env: { ...process.env, ...env },
    follow: true,
  });
  const loaded = (await ended(child)).code === 0;
  if (loaded) rmSync(loadingFile, { force: true });
  return loaded;
}
