#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plainCommands, plainHelp } from './plain-commands.mjs';
import { loadEnvironmentFile, Refusal, root } from './project.mjs';

/** Errors thrown on purpose, whose message says what to do; a stack would only hide it. */
const meantForTheReader = new Set(['Refusal', 'ConfigError', 'MigrationError', 'DlqError']);

const [name = '', ...args] = process.argv.slice(2);

async function main() {
  loadEnvironmentFile();
  if (name in plainCommands) {
    if (args.includes('--help') || args.includes('-h')) return console.log(plainHelp(name));
    if (name === 'start') return (await import('./start.mjs')).start(args);
    if (name === 'db-url') return (await import('./db-url.mjs')).dbUrl();
  }
  await adoptRunningDatabase();
  // Not relative to the folder that a command is called from: all of them must mean one store.
  process.env.DLO_BLOBS ||= join(root, '.data', 'blobs');
  if (name === 'web') return (await import('./web.mjs')).web(args);
  if (!existsSync(join(root, 'node_modules', 'tsx'))) {
    const known = Object.entries(plainCommands).map(([command, { summary }]) => `  ${command.padEnd(8)} ${summary}`);
    throw new Refusal(
      [
        'The packages are not installed yet: run `npm start` (or `npm ci`) first. Before that there are:',
        ...known,
      ].join('\n'),
    );
  }
  process.env.TSX_TSCONFIG_PATH ??= join(root, 'tsconfig.json');
  const { register } = await import('tsx/esm/api');
  register();
  const { runCommand } = await import('./main.ts');
  await runCommand(process.argv);
}

/** Every command talks to the private database of this folder when no other is named and it runs. */
async function adoptRunningDatabase() {
  if (process.env.DATABASE_URL || ['', 'help', '--help', '-h', '--version', '-V'].includes(name)) return;
  const { runningClusterUrl } = await import('./private-cluster.mjs');
  const url = runningClusterUrl();
  if (!url) return;
  process.env.DATABASE_URL = url;
  const { privateBlobs, privateSpool } = await import('./cluster-home.mjs');
  process.env.DLO_BLOBS ||= privateBlobs();
  // As `npm start` does: a worker beside it loads what it has told pipelines to write to.
  if (name === 'web' || name === 'worker') process.env.DLO_SPOOL_DIR ||= privateSpool();
}

main().catch((error) => {
  const known = meantForTheReader.has(error?.name) || String(error?.code).startsWith('ERR_PARSE_ARGS');
  console.error(known ? error.message : error);
  process.exit(1);
});
