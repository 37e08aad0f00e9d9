import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectToFollow } from '@/lib/follow/connect';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { differences, followerOf } from './map-copy';

let database: TestDatabase;
let following: ReturnType<typeof followerOf>;

/** Adds `count` entries to the narrow table, of one combo. */
const add = (count: number, client: { query: TestDatabase['pool']['query'] } = database.pool) =>
  client.query(
    `insert into dlq.state (entry_id, failed_at, combo, cell, public_cell)
     select nextval('dlq.entry_id'), case when n % 7 = 0 then 'infinity' else now() - n * interval '1 second' end,
       c.id, case when n % 2 = 0 then n end, null
     from (select dlq.combo_of('default', 'oom', 'fatal', 'clip', null, null, null, 'aaaa', null, null, false) as id offset 0) c,
       generate_series(1, $1::integer) n`,
    [count],
  );
const touch = (id: number) =>
  `update dlq.state set reopen_count = reopen_count + 1, version = version + 1 where entry_id = ${id}`;
const caughtUp = async () => {
  await following.follower.caughtUp(30_000);
  expect(await differences(database.pool, following.follower.copy)).toEqual([]);
};

/** No reading of the feed is under way while a test changes where it goes on. */
const readOnlyWhenAsked = async () => {
  await following.stop();
  following = followerOf(database.url, { idle_ms: 600_000 });
};

beforeAll(async () => {
  database = await cloneDatabase();
  await add(20);
});
afterAll(() => database.drop());
beforeEach(() => {
  following = followerOf(database.url);
});
afterEach(() => following.stop());

test('what was there at the start is there, with infinite times and without positions', async () => {
  await caughtUp();
  const { rows } = following.follower.copy!;
  expect([...rows.values()].filter(({ failed_at_us }) => failed_at_us === Infinity)).toHaveLength(2);
  expect([...rows.values()].filter(({ cell }) => cell === null)).toHaveLength(10);
});

test('a change that drew its number first and commits last is not lost', async () => {
  await caughtUp();
  const before = following.follower.followed;
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  for (const [i, client] of [first!, second!, third!].entries()) {
    await client.query('begin');
    await client.query(touch(i + 1));
  }
  for (const client of [third!, first!, second!]) {
    await client.query('commit');
    client.release();
    await caughtUp();
  }
  expect(following.follower.followed - before, 'none twice').toBe(3);
});

test('a reader that goes by the highest revision would lose it: the check above finds such a one', async () => {
  await caughtUp();
  const lost = new Set<string>();
  let last = 0;
  const byRevision = async () => {
    const { rows } = await database.pool.query<{ rev: number; ids: string[] }>(
      'select rev::integer, entry_ids::text[] as ids from dlq.change where rev > $1 order by rev',
      [last],
    );
    for (const { rev, ids } of rows) {
      last = rev;
      for (const id of ids) lost.delete(id);
    }
  };
  await byRevision();
  const [early, late] = [await database.pool.connect(), await database.pool.connect()];
  for (const [id, client] of [early, late].entries()) {
    await client.query('begin');
    await client.query(touch(id + 1));
    lost.add(String(id + 1));
  }
  for (const client of [late, early]) {
    await client.query('commit');
    client.release();
    await byRevision();
  }
  expect([...lost]).toEqual(['1']);
  await caughtUp();
});

test('what is rolled back is never seen', async () => {
  await caughtUp();
  const before = following.follower.followed;
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query(touch(4));
  await client.query('rollback');
  client.release();
  await caughtUp();
  expect(following.follower.followed).toBe(before);
});

test('whoever wrote something finds it in the copy at once, whatever it looks at meanwhile', async () => {
  for (let n = 0; n < 30; n += 1) {
    await database.pool.query(touch(5 + (n % 3)));
    await caughtUp();
  }
});

test('writers of many transactions at once lose nothing, also while it is loaded', async () => {
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    const client = await database.pool.connect();
    for (let n = 0; n < 25; n += 1) {
      await client.query('begin');
      await add(1 + (n % 3), client);
      await client.query(touch(8 + writer));
      // some are open over many readings of the feed
      if (n % 5 === writer % 5) await following.follower.caughtUp(30_000);
      await client.query(n % 9 === 4 ? 'rollback' : 'commit');
    }
    client.release();
  });
  await Promise.all(writers);
  await caughtUp();
});

test('a change of more entries than are taken at once is taken by parts', async () => {
  await caughtUp();
  await add(10_500);
  await caughtUp();
  await database.pool.query(`update dlq.state set cell = entry_id, version = version + 1`);
  await caughtUp();
  const { rows } = following.follower.copy!;
  expect(rows.size).toBeGreaterThan(10_500);
  expect(following.follower.rebuilds).toBe(0);
});

test('an entry that is no more leaves the copy', async () => {
  await caughtUp();
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query(`set local session_replication_role = replica`);
  await client.query(`delete from dlq.state where entry_id = 3`);
  await client.query(`insert into dlq.change (entry_ids) values (array[3])`);
  await client.query('commit');
  client.release();
  await caughtUp();
  expect(following.follower.copy?.rows.has(3)).toBe(false);
});

test('a copy that has not read the feed for longer than changes are kept is loaded anew', async () => {
  await readOnlyWhenAsked();
  await caughtUp();
  const moment = following.follower.moment!;
  following.follower.moment = { ...moment, as_of_us: moment.as_of_us - 51 * 60e6 };
  await following.follower.caughtUp(30_000);
  await caughtUp();
  expect(following.follower.rebuilds).toBe(1);
  expect(following.logged).toContain('the triage index is too far behind the feed and is loaded anew');
});

test('a database that has gone back in time is loaded anew', async () => {
  await readOnlyWhenAsked();
  await caughtUp();
  const moment = following.follower.moment!;
  following.follower.moment = { ...moment, snapshot: '900000000:900000000:' };
  await following.follower.caughtUp(30_000);
  await caughtUp();
  expect(following.follower.rebuilds).toBe(1);
});

test('a connection that is cut is told once, and nothing that changed meanwhile is lost', async () => {
  await following.stop();
  let refusing = false;
  following = followerOf(database.url, {
    connect: () => {
      if (!refusing) return connectToFollow(database.url);
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    },
  });
  await caughtUp();
  const { follower, until, logged } = following;
  refusing = true;
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'dead-letter-office triage index' and datname = current_database()`,
  );
  await until(() => follower.away);
  // who asks meanwhile is answered at once, from what is there
  await follower.caughtUp(30_000);
  expect(follower.copy).not.toBeNull();
  await database.pool.query(touch(9));
  refusing = false;
  await until(() => !follower.away);
  await caughtUp();
  expect(follower.rebuilds).toBe(0);
  expect(logged.filter((line) => line.includes('cannot read'))).toHaveLength(1);
});
