import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from '@/db/client';

/** Nobody waits for the answer any more: its statement was cancelled, or not begun. */
export class GivenUp extends Error {
  constructor() {
    super('nobody waits for this answer any more');
    this.name = 'GivenUp';
  }
}

/** Whether an error, or what lies under it, is that nobody waits. */
export function isGivenUp(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++)
    if (one instanceof GivenUp) return true;
  return false;
}

/**
 * Drizzle over a pool for one who may go away: when `signal` aborts, the statement under way is cancelled in the server,
 * by a connection of the pool `cancels`, and none is begun after. Ten abandoned searches would else hold every connection
 * until their statement_timeout. What was cancelled throws GivenUp.
 */
export function untilGivenUp(pool: pg.Pool, cancels: pg.Pool, signal: AbortSignal): Db {
  const lease = <T>(use: (client: pg.PoolClient) => Promise<T>) => leased(pool, cancels, signal, use);
  const statements = {
    query: (config: pg.QueryConfig, values?: unknown[]) => lease((client) => client.query(config, values)),
  };
  const db = drizzle({ client: statements as unknown as pg.Pool });
  db.transaction = (run, config) => lease((client) => drizzle({ client }).transaction(run, config));
  return db as Db;
}

async function leased<T>(
  pool: pg.Pool,
  cancels: pg.Pool,
  signal: AbortSignal,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new GivenUp();
  const client = await pool.connect();
  let cancelling: Promise<unknown> | null = null;
  let has_ended = false;
  const cancel = () => {
    cancelling = cancelBackend(cancels, client);
  };
  try {
    if (signal.aborted) throw new GivenUp();
    signal.addEventListener('abort', cancel, { once: true });
    const answer = await use(client);
    has_ended = true;
    return answer;
  } catch (error) {
    throw signal.aborted ? new GivenUp() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // what comes late must not meet the next one's statement
    await cancelling;
    client.release(cancelling !== null && has_ended);
  }
}

/** Best effort: what cannot be cancelled ends by its statement_timeout. */
async function cancelBackend(cancels: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as unknown as { processID: number | null };
  if (processID === null) return;
  await cancels.query('select pg_cancel_backend($1::integer)', [processID]).catch(() => {});
}
