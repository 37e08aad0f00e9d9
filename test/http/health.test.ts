import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { depthSchema, readySchema } from '@/lib/contract/health';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';

let database: TestDatabase;
let POST: RouteHandler;
let depth: RouteHandler;
let ready: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  POST = (await import('@/app/api/dead-letters/route')).POST;
  depth = (await import('@/app/api/depth/route')).GET;
  ready = (await import('@/app/readyz/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

test('the depth is what is not resolved, and the sum of its parts', async () => {
  const line = (work_key: string, task_name: string, failure_class: string) =>
    JSON.stringify({ work_key, task_name, failure_class, failed_at: '2026-03-01T10:00:00Z' });
  await sendLines(POST, [
    line('a', 'clip', 'oom'),
    line('b', 'clip', 'oom'),
    line('c', 'merge', 'unknown'),
    line('d', 'clip', 'oom'),
  ]);
  await database.pool.query(
    `update dlq.state set state = 'resolved', resolution = 'fixed', resolved_at = now(), version = version + 1
     where entry_id = (select id from dlq.entry where work_key = 'd')`,
  );
  const answer = depthSchema.parse((await send(depth)).json);
  expect(answer.depth).toBe(3);
  expect(answer.by).toEqual([
    {
      queue: 'default',
      task_name: 'clip',
      failure_class: 'oom',
      state: 'open',
      count: 2,
      oldest_failed_at: '2026-03-01T10:00:00.000000Z',
    },
    {
      queue: 'default',
      task_name: 'merge',
      failure_class: 'unknown',
      state: 'open',
      count: 1,
      oldest_failed_at: '2026-03-01T10:00:00.000000Z',
    },
  ]);
});

test('readiness names the versions, and every reason why it is not ready', async () => {
  const whole = readySchema.parse((await send(ready)).json);
  expect(whole).toMatchObject({ ready: true, reasons: [], postgis_version: expect.stringMatching(/^3\./) });
  await database.pool.query(
    `delete from public.dlq_migrations where name = (select max(name) from public.dlq_migrations)`,
  );
  const behind = await send(ready);
  expect(behind.status).toBe(503);
  expect(readySchema.parse(behind.json).reasons).toEqual([expect.stringMatching(/1 migration.* dlo migrate/)]);
  await database.pool.query('drop table public.dlq_migrations');
  expect((await send(ready)).status).toBe(503);
});

test('a database that was never migrated is not ready, and says so', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const bare = `bare_${process.pid}`;
  await client.query(`create database ${bare}`);
  try {
    await closePool();
    const url = new URL(database.url);
    url.pathname = `/${bare}`;
    vi.resetModules();
    vi.stubEnv('DATABASE_URL', url.href);
    const fresh = await import('@/app/readyz/route');
    const answer = await send(fresh.GET);
    expect(answer.status).toBe(503);
    expect(readySchema.parse(answer.json).reasons.join()).toMatch(/PostGIS is missing.*dlo migrate/);
  } finally {
    await closePool();
    await client.query(`drop database ${bare} with (force)`);
    await client.end();
  }
});
