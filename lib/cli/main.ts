import { join } from 'node:path';
import { Command } from 'commander';
import { attachCommands } from './attach';
import { blobsCommand } from './blobs';
import { demoCommand } from './demo';
import { exportCommand } from './export';
import { ingestCommand } from './ingest';
import { plainCommands } from './plain-commands.mjs';
import { producerRoleCommand } from './producer-role';
import { root } from './project.mjs';
import { tokenCommand } from './token';

/**
 * The commands that need installed packages. `start`, `web` and `db-url` are described here for the help alone:
 * `dlo.mjs` runs them before this file is read.
 *
 * @param argv as in process.argv
 */
export async function runCommand(argv: string[]): Promise<void> {
  const program = new Command('dlo').description(
    'Dead Letter Office: durable capture, honest evidence, triage on a map, and a safe way back for failed geotasks.',
  );
  for (const [name, { summary, options }] of Object.entries(plainCommands)) {
    const command = program.command(name).description(summary);
    for (const [flags, text] of options) command.option(flags, text);
  }
  program.command('worker').description('run the background worker until Ctrl-C').action(runWorker);
  program
    .command('migrate')
    .description('bring the database to the newest schema; safe to run at the same time')
    .action(runMigrate);
  program.addCommand(demoCommand());
  for (const command of attachCommands()) program.addCommand(command);
  program.addCommand(producerRoleCommand());
  program.addCommand(ingestCommand());
  program.addCommand(exportCommand());
  program.addCommand(blobsCommand());
  program.addCommand(tokenCommand());
  await program.parseAsync(argv);
}

async function runMigrate(): Promise<void> {
  const { getConfig } = await import('@/lib/config');
  const { migrate } = await import('@/db/migrate');
  const { applied } = await migrate({
    url: getConfig().database_url,
    folder: join(root, 'migrations'),
    say: (line) => console.log(line),
  });
  console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`);
}

async function runWorker(): Promise<void> {
  const { getConfig } = await import('@/lib/config');
  getConfig();
  const { startWorker } = await import('@/lib/worker/run');
  const { stopSignal } = await import('./stop-signal.mjs');
  const worker = startWorker();
  console.log('The worker runs. Ctrl-C stops it.');
  await stopSignal();
  await worker.stop();
  process.exit(0);
}
