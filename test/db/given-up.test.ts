import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool, type Db } from '@/db/client';
import { isGivenUp, untilGivenUp } from '@/db/until-given-up';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let cancels: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool(database.url, { max: 1 });
  cancels = createPool(database.url, { max: 1 });
});
afterAll(async () => {
  await Promise.all([pool?.end(), cancels?.end()]);
  await database?.drop();
});

/** Ends only when it is cancelled: far over the statement_timeout. */
const endless = sql`select pg_sleep(3600)`;

/** Resolves when the server is at it. */
async function underWay(): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep(3600)%' and wait_event = 'PgSleep'`,
    );
    if (rows.length > 0) return;
  }
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => (isGivenUp(error) ? 'given up' : `failed: ${error}`),
  );

test.each([
  ['a statement', (db: Db) => db.execute(endless)],
  ['a transaction', (db: Db) => db.transaction((tx) => tx.execute(endless))],
])('%s that nobody waits for any more is cancelled, and its connection serves the next', async (_, ask) => {
  const leaving = new AbortController();
  const asked = outcomeOf(ask(untilGivenUp(pool, cancels, leaving.signal)));
  await underWay();
  const behind = untilGivenUp(pool, cancels, new AbortController().signal).execute(sql`select 1 as one`);
  leaving.abort();
  expect(await asked).toBe('given up');
  expect((await behind).rows).toEqual([{ one: 1 }]);
});

test('who has gone while waiting for a connection asks nothing', async () => {
  const client = await pool.connect();
  const leaving = new AbortController();
  const asked = outcomeOf(untilGivenUp(pool, cancels, leaving.signal).execute(endless));
  leaving.abort();
  client.release();
  expect(await asked).toBe('given up');
  expect((await createDb(pool).execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test('an error of the database stays what it is while somebody waits', async () => {
  const db = untilGivenUp(pool, cancels, new AbortController().signal);
  expect(await outcomeOf(db.execute(sql`select 1 / 0`))).toContain('failed');
  expect(await db.transaction((tx) => tx.execute(sql`select 1 as one`)).then(({ rows }) => rows)).toEqual([{ one: 1 }]);
});
