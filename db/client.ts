import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { untilGivenUp } from '@/db/until-given-up';
import { getConfig } from '@/lib/config';
import { getLog } from '@/lib/log';

/** What statements run on: the pool. */
export type Db = NodePgDatabase;
/** What statements run on inside `db.transaction`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** Next loads routes, pages and instrumentation as separate modules; the pool must exist once a process all the same. */
const key = Symbol.for('dead-letter-office.pool');
const intake_key = Symbol.for('dead-letter-office.intake-pool');
const cancel_key = Symbol.for('dead-letter-office.cancel-pool');
type Shared = { pool: pg.Pool; db: Db };
const shared = globalThis as { [key]?: Shared; [intake_key]?: Shared; [cancel_key]?: pg.Pool };

/** Over the server's own statement_timeout: only a server that answers nothing any more is given up by this. */
const INTAKE_QUERY_MS = 35_000;

/**
 * A pool with the session settings that every statement counts on. Parallel workers and JIT are off: on two cores
 * both cost short queries more than they give.
 */
export function createPool(
  url: string,
  { max = 10, application_name = 'dead-letter-office', query_timeout = 0 } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    ...(query_timeout > 0 ? { query_timeout } : {}),
    keepAlive: true,
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
  });
  // An idle connection that the server closes is no one's request: the pool replaces it.
  // The error carries the whole client, which is no matter for a log.
  pool.on('error', ({ message }) => getLog().warn({ message }, 'an idle database connection was lost'));
  // One in use tells the statement under way; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Drizzle over a pool. Its own transaction keeps a connection for good when `begin` fails on it, as after a restart of
 * the server: ten such failures, and the pool would be dry.
 */
export function createDb(pool: pg.Pool): Db {
  const db = drizzle({ client: pool });
  db.transaction = async (run, config) => {
    const client = await pool.connect();
    try {
      return await drizzle({ client }).transaction(run, config);
    } finally {
      client.release();
    }
  };
  return db;
}

function getShared(): Shared {
  if (!shared[key]) {
    const pool = createPool(getConfig().database_url);
    shared[key] = { pool, db: createDb(pool) };
  }
  return shared[key];
}

/** The pool of this process, for what drizzle cannot do (COPY, LISTEN, cursors). */
export const getPool = (): pg.Pool => getShared().pool;

/** The database of this process. */
export const getDb = (): Db => getShared().db;

/** The database of this process for one who asks and may go away: what nobody waits for any more is cancelled. */
export function getDbUntil(signal: AbortSignal): Db {
  shared[cancel_key] ??= createPool(getConfig().database_url, {
    max: 1,
    application_name: 'dead-letter-office cancel',
    query_timeout: 5_000,
  });
  return untilGivenUp(getPool(), shared[cancel_key], signal);
}

/**
 * The database for what comes in. Its connections are its own: a burst of captures leaves reads theirs, and slow reads
 * leave captures theirs. One more than configured, for the look-up of tokens.
 */
export function getIntakeDb(): Db {
  if (!shared[intake_key]) {
    const { database_url, intake } = getConfig();
    const pool = createPool(database_url, {
      max: intake.connections + 1,
      application_name: 'dead-letter-office intake',
      query_timeout: INTAKE_QUERY_MS,
    });
    shared[intake_key] = { pool, db: createDb(pool) };
  }
  return shared[intake_key].db;
}

/** Connections of the pools of this process that there are: in use, idle, and how many wait for one. */
export function poolCounts(): { pool: string; busy: number; idle: number; waiting: number }[] {
  const pools = { reads: shared[key]?.pool, intake: shared[intake_key]?.pool };
  return Object.entries(pools).flatMap(([name, pool]) =>
    pool
      ? [{ pool: name, busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }]
      : [],
  );
}

/** Ends the pools of this process, those that there are. */
export async function closePool(): Promise<void> {
  const pools = [shared[key]?.pool, shared[intake_key]?.pool, shared[cancel_key]];
  delete shared[key];
  delete shared[intake_key];
  delete shared[cancel_key];
  await Promise.all(pools.map((pool) => pool?.end()));
}
