import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneFeed } from '@/db/queries/prune-feed';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const hourPasses = () =>
  database.pool.query(
    `update dlq.feed_reader set read_at = read_at - interval '61 minutes' where name = 'prune the feed'`,
  );
const kept = async () =>
  (await database.pool.query<{ ids: string[] }>('select entry_ids::text[] as ids from dlq.change order by rev')).rows
    .flatMap(({ ids }) => ids)
    .map(Number);

test('a change is kept for an hour after it could first be read, however long ago it was written', async () => {
  expect(await pruneFeed(database.db)).toBe(0);
  await insertRows(database.pool, [blankRow(1)]);
  const late = await database.pool.connect();
  await late.query('begin');
  await late.query(`insert into dlq.change (entry_ids, at) values (array[2], now() - interval '3 hours')`);
  // not an hour since the first look
  expect(await pruneFeed(database.db)).toBe(0);
  await hourPasses();
  // entry 1 was written after that look: this one sees it, and the next prunes it
  expect(await pruneFeed(database.db)).toBe(0);
  await late.query('commit');
  late.release();
  await insertRows(database.pool, [blankRow(3)]);
  expect(await kept()).toEqual([1, 2, 3]);
  await hourPasses();
  expect(await pruneFeed(database.db)).toBe(1);
  expect(await kept()).toEqual([2, 3]);
  await hourPasses();
  expect(await pruneFeed(database.db)).toBe(2);
});

test('what another reader has not read is kept', async () => {
  await database.pool.query(`insert into dlq.feed_reader (name, snapshot) values ('slow', pg_current_snapshot())`);
  await insertRows(database.pool, [blankRow(4)]);
  for (let hour = 0; hour < 3; hour += 1) {
    await hourPasses();
    await pruneFeed(database.db);
  }
  expect(await kept()).toEqual([4]);
});
