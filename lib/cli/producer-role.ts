import { readFileSync } from 'node:fs';
import { Command } from 'commander';

interface ProducerRoleOptions {
  passwordFile?: string;
  login?: true;
  queue?: string;
  taskName?: string;
  compat?: true;
  dryRun?: true;
}

/** `dlo producer-role`. */
export function producerRoleCommand(): Command {
  return new Command('producer-role')
    .description('make or correct a database role that may run the two documents’ INSERT statements and nothing else')
    .argument('<name>', 'the role; one of its own for each producer')
    .option('--password-file <file>', 'its password is the first line of this file; implies --login')
    .option('--login', 'it signs in by other means than a password (peer, certificate)')
    .option('--queue <queue>', 'queue of all its captures, whatever its session sets')
    .option('--task-name <name>', 'task of its rows in failed_geotasks, whatever its session sets')
    .option('--compat', 'dlq_compat first on its search_path: what PostGIS refuses is captured too')
    .option('--dry-run', 'print the statements; change nothing')
    .action(run);
}

async function run(role_name: string, options: ProducerRoleOptions): Promise<void> {
  const { closePool, getDb } = await import('@/db/client');
  const { makeProducerRole, planProducerRole } = await import('@/lib/attach/producer-role');
  const { scramVerifier } = await import('@/lib/attach/scram-verifier');
  const password = options.passwordFile === undefined ? null : firstLine(options.passwordFile);
  const role = {
    role_name,
    login: options.login === true || password !== null,
    verifier: password === null ? null : scramVerifier(password),
    queue: options.queue ?? null,
    task_name: options.taskName ?? null,
    compat: options.compat === true,
  };
  try {
    const statements = options.dryRun ? await planProducerRole(getDb(), role) : await makeProducerRole(getDb(), role);
    const shown = statements.map((statement) => `${statement.replace(/SCRAM-SHA-256\$[^']*/, '…')};`);
    console.log(shown.join('\n'));
    console.log(options.dryRun ? 'Nothing was changed.' : `${role_name} may capture, and nothing else.`);
    if (!role.login) console.log('It cannot sign in: give --password-file or --login.');
  } finally {
    await closePool();
  }
}

const firstLine = (file: string): string => readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '';
