import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Migration, MigrationError, readMigrations } from '@/db/migration-files';
import { checkServer, providePostgis } from '@/db/server-requirements';

export { MigrationError } from '@/db/migration-files';

/** One number for every process that migrates a queue; advisory locks are per database. */
const lockKey = 7_113_402_118_406_331;

type MigrateInput = {
  /** Connection string of a role that may create schemas (and, the first time, the extension PostGIS). */
  url: string;
  /** Folder of `NNNN_name.sql` files. */
  folder: string;
  /** Told one line a step. */
  say?: (line: string) => void;
};

type AppliedRow = { name: string; sha256: string };

/**
 * Applies the migrations that the database does not have yet, in order, each in its own transaction. Concurrent calls
 * wait for each other. Throws MigrationError, whose message says what to do.
 */
export async function migrate({ url, folder, say = () => {} }: MigrateInput): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dlo migrate',
    connectionTimeoutMillis: 10_000,
  });
  // The failure of a lost connection reaches the query under way; without a listener it would also end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationError(`The database cannot be reached: ${(error as Error).message}`);
  }
  try {
    await checkServer(client);
    await takeLock(client, say);
    await providePostgis(client);
    return { applied: await applyPending(client, migrations, say) };
  } finally {
    await client.end();
  }
}

/** Polled rather than waited for: a session that waits in a lock holds back `create index concurrently` of others. */
async function takeLock(client: pg.Client, say: (line: string) => void): Promise<void> {
  for (let told = false; ; told = true) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
      lockKey,
    ]);
    if (rows[0]?.taken) return;
    if (!told) say('Another process migrates this database; waiting for it.');
    await wait(100);
  }
}

async function applyPending(
  client: pg.Client,
  migrations: Migration[],
  say: (line: string) => void,
): Promise<string[]> {
  await client.query(
    'create table if not exists public.dlq_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<AppliedRow>('select name, sha256 from public.dlq_migrations order by name');
  const pending = pendingMigrations(migrations, rows);
  for (const migration of pending) {
    say(`Applying ${migration.name}`);
    await apply(client, migration);
  }
  return pending.map(({ name }) => name);
}

/**
 * Which migrations are to be applied, given what was. Throws MigrationError when the two histories disagree: a file
 * that changed after it was applied, one that the files no longer have, or a new one that sorts before an applied one.
 */
export function pendingMigrations(migrations: Migration[], applied: AppliedRow[]): Migration[] {
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of applied) {
    const file = files.get(name);
    if (!file)
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know: the database is newer than the program. Run the newer version.`,
      );
    if (file.sha256 !== sha256)
      throw new MigrationError(
        `${name} was changed after it was applied. Migrations are append-only: put the file back and write a new one.`,
      );
  }
  const done = new Set(applied.map(({ name }) => name));
  const last = [...done].sort().at(-1) ?? '';
  const pending = migrations.filter(({ name }) => !done.has(name));
  const late = pending.find(({ name }) => name < last);
  if (late)
    throw new MigrationError(
      `${late.name} comes before ${last}, which is applied already. Give it the next free number.`,
    );
  return pending;
}

async function apply(client: pg.Client, { name, sha256, sql }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into public.dlq_migrations (name, sha256) values ($1::text, $2::text)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError(describeFailure(name, sql, error));
  }
}

function describeFailure(name: string, sql: string, error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return `${name}: ${(error as Error).message}`;
  const line = error.position ? `, line ${sql.slice(0, Number(error.position)).split('\n').length}` : '';
  const more = [error.detail, error.hint, error.where, ownTableInTheWay(error)].filter(Boolean).join('\n');
  return `${name}${line}: ${error.message} (${error.code})${more ? `\n${more}` : ''}\nNothing of this file was applied.`;
}

/** A team that has one of the documents' tables by its name: its statements go on into the new one, its rows come in after. */
function ownTableInTheWay({ code, message }: pg.DatabaseError): string {
  const table = code === '42P07' ? /"(geotask_dlq|failed_geotasks)"/.exec(message)?.[1] : undefined;
  if (!table) return '';
  // a new name would leave its indexes in the way
  return `The database has a ${table} of your own. Run: create schema if not exists team; alter table public.${table} set schema team; then migrate again, and take its rows in with: dlo attach team.${table}`;
}
