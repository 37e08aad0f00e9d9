import { userInfo } from 'node:os';
import { Command } from 'commander';
import type { Db } from '@/db/client';
import type { Token } from '@/lib/contract/token';
import { Refusal } from './project.mjs';

/** `dlo token create`, `list` and `revoke`. */
export function tokenCommand(): Command {
  const token = new Command('token').description('tokens of producers: they may send captures, blobs and runs');

  token
    .command('create <name>')
    .description('make one; standard output is the token alone, which is shown this once')
    .option('--queue <queue>', 'only into this queue, which captures then need not name')
    .option('--task <task...>', 'only for these tasks')
    .option('--expires <duration>', 'ends after it, like 90d, 12h or 30m')
    .option('--rate <number>', 'captures a second on average, in each process of the server')
    .action(create);
  token.command('list').description('every token, newest first; never its text').action(list);
  token.command('revoke <id-or-name>').description('end one for good, everywhere within ten seconds').action(revoke);
  return token;
}

type CreateOptions = { queue?: string; task?: string[]; expires?: string; rate?: string };

async function create(name: string, options: CreateOptions): Promise<void> {
  const { newTokenSchema } = await import('@/lib/contract/token');
  const given = newTokenSchema.safeParse({
    name,
    queue: options.queue,
    task_names: options.task,
    expires_at: options.expires === undefined ? undefined : momentAfter(options.expires),
    captures_per_s: options.rate === undefined ? undefined : Number(options.rate),
  });
  if (!given.success)
    throw new Refusal(given.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  const { createToken } = await import('@/lib/tokens/create-token');
  const made = await withDatabase((db) =>
    createToken({ db, actor: { name: `cli:${userInfo().username}` } }, given.data),
  );
  console.error(`Token ${made.id}, ${made.name}: ${limitsOf(made)}. This is the only time that it is shown.`);
  console.log(made.token);
}

async function list(): Promise<void> {
  const { listTokens } = await import('@/lib/tokens/list-tokens');
  const { items } = await withDatabase((db) => listTokens({ db }));
  if (items.length === 0) console.log('There are no tokens. `dlo token create <name>` makes one.');
  for (const token of items)
    console.log(
      [
        token.id,
        token.name,
        `dlo_p_${token.id}_…${token.hint}`,
        stateOf(token),
        limitsOf(token),
        `made ${token.created_at.slice(0, 10)} by ${token.created_by}`,
        token.last_used_at ? `used ${token.last_used_at.slice(0, 16)}Z` : 'never used',
      ].join('  '),
    );
}

async function revoke(which: string): Promise<void> {
  const { revokeToken } = await import('@/lib/tokens/revoke-token');
  const token = await withDatabase((db) => revokeToken({ db }, which));
  console.log(`Token ${token.id}, ${token.name}, is revoked since ${token.revoked_at}.`);
}

async function withDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const { closePool, getDb } = await import('@/db/client');
  try {
    return await use(getDb());
  } finally {
    await closePool();
  }
}

function stateOf({ revoked_at, expires_at }: Token): string {
  if (revoked_at) return `revoked ${revoked_at.slice(0, 10)}`;
  if (!expires_at) return 'valid';
  return Date.parse(expires_at) <= Date.now()
    ? `expired ${expires_at.slice(0, 10)}`
    : `valid until ${expires_at.slice(0, 16)}Z`;
}

function limitsOf({ queue, task_names, captures_per_s }: Token): string {
  return [
    queue === null ? 'any queue' : `queue ${queue}`,
    task_names === null ? 'any task' : `tasks ${task_names.join(', ')}`,
    ...(captures_per_s === null ? [] : [`${captures_per_s} captures a second`]),
  ].join(', ');
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function momentAfter(duration: string): string {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(duration) ?? [];
  if (count === undefined || Number(count) === 0)
    throw new Refusal(`--expires takes a duration like 90d, 12h or 30m, not ${duration}`);
  return new Date(Date.now() + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString();
}
