import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '@/db/client';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

test('a transaction that cannot begin gives its connection back', async () => {
  const pool = createPool(database.url, { max: 1 });
  const db = createDb(pool);
  try {
    const unheard_of = { isolationLevel: 'unheard of' as 'serializable' };
    await expect(db.transaction(async () => {}, unheard_of)).rejects.toThrow();
    const { rows } = await db.transaction((tx) => tx.execute(sql`select 1 as one`));
    expect(rows).toEqual([{ one: 1 }]);
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  } finally {
    await pool.end();
  }
});
