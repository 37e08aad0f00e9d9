import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStoppableServer, type StoppableServer } from '@/test/support/stoppable-server';
import { differences, followerOf } from './map-copy';

let server: StoppableServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await makeStoppableServer();
  pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', () => {});
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

const add = (count: number) =>
  pool.query(
    `insert into dlq.state (entry_id, failed_at, combo)
     select nextval('dlq.entry_id'), now(), dlq.combo_of('default', 'oom', 'fatal', 'clip', null, null, null, 'aaaa', null, null, false)
     from generate_series(1, $1::integer)`,
    [count],
  );

test('a server that stops, crashes and comes back loses nothing, and nothing is loaded anew', async () => {
  await add(10);
  const { follower, until, logged, stop } = followerOf(server.url);
  await follower.caughtUp(30_000);
  for (const end of [server.stop, server.crash]) {
    await end();
    await until(() => follower.away);
    expect(follower.copy?.rows.size).toBeGreaterThanOrEqual(10);
    await server.start();
    await until(() => !follower.away);
    await add(5);
    await follower.caughtUp(30_000);
    expect(await differences(pool, follower.copy)).toEqual([]);
  }
  expect(follower.copy?.rows.size).toBe(20);
  expect(follower.rebuilds).toBe(0);
  expect(logged).toEqual([
    'the triage index is loaded',
    ...[1, 2].flatMap(() => ['the triage index cannot read the database', 'the triage index follows the feed again']),
  ]);
  await stop();
});
