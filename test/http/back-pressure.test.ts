import { connect } from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { closePool, getIntakeDb, getPool } from '@/db/client';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { lockWaits } from '@/test/support/lock-waits';
import { serveRoutes } from '@/test/support/serve-routes';

/** Requests in work, and connections: two, and the one that is there for tokens. */
const CONCURRENCY = 3;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  vi.stubEnv('DLO_INTAKE_CONCURRENCY', String(CONCURRENCY));
  vi.stubEnv('DLO_INTAKE_CONNECTIONS', String(CONCURRENCY - 1));
  vi.stubEnv('DLO_INTAKE_BYTES', '40000000');
  const letters = await import('@/app/api/dead-letters/route');
  const runs = await import('@/app/api/runs/route');
  server = await serveRoutes([
    { method: 'POST', path: '/api/dead-letters', handler: letters.POST },
    { method: 'GET', path: '/api/dead-letters', handler: letters.GET },
    { method: 'POST', path: '/api/runs', handler: runs.POST },
  ]);
  expect((await capture('held')).status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await closePool();
  await database.drop();
});

let holder: pg.PoolClient | null = null;
/** Captures of the key `held` wait in the database until this is let go. */
async function holdKey(): Promise<void> {
  holder = await database.pool.connect();
  await holder.query(`begin; select 1 from dlq.entry where work_key = 'held' for update`);
}
async function letGo(): Promise<void> {
  await holder?.query('rollback');
  holder?.release();
  holder = null;
}
afterEach(letGo);

const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const capture = (work_key: string) => post('/api/dead-letters', { work_key, task_name: 't' });

/** The answer to a request that says what is to come and sends nothing of it. */
function answerWithoutBody(head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
      if (!text.includes('\r\n\r\n') || !text.includes('"error"')) return;
      socket.destroy();
      resolve(text);
    });
    socket.write(`${head}\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n`);
  });
}

test('while the intake is full, more is sent away unread with 429 and Retry-After; reads go on, and then all goes on', async () => {
  await holdKey();
  const in_work = Array.from({ length: CONCURRENCY }, () => capture('held'));
  await lockWaits(database.pool, CONCURRENCY);
  const refused = await Promise.all(
    ['/api/dead-letters', '/api/runs'].flatMap((path) =>
      Array.from({ length: CONCURRENCY + 1 }, () =>
        answerWithoutBody(`POST ${path} HTTP/1.1\r\nContent-Length: 30000`),
      ),
    ),
  );
  for (const text of refused) {
    expect(text).toContain('HTTP/1.1 429');
    expect(text.toLowerCase()).toContain('retry-after: 1');
    expect(text).toContain('DLO_INTAKE_CONCURRENCY');
  }
  expect((await fetch(`${server.url}/api/dead-letters`)).status).toBe(200);
  await letGo();
  expect((await Promise.all(in_work)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await capture('held')).status).toBe(200);
});

test('where every connection is in use, a capture is told so after a while, with Retry-After, and waits for none', async () => {
  const pool = (getIntakeDb() as unknown as { $client: pg.Pool }).$client;
  const clients = await Promise.all(Array.from({ length: CONCURRENCY }, () => pool.connect()));
  const answer = await capture('no connection');
  for (const client of clients) client.release();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await capture('no connection')).status).toBe(200);
});

test('reads that hold all of their connections hold up no capture', async () => {
  const pool = getPool();
  const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  try {
    expect((await capture('beside reads')).status).toBe(200);
    expect((await post('/api/runs', { run_id: 'r', task_name: 't' })).status).toBe(200);
  } finally {
    for (const client of clients) client.release();
  }
});

test('bodies that are too large together are sent away unread, one alone is taken', async () => {
  await holdKey();
  const large = post('/api/dead-letters', { work_key: 'held', task_name: 't', params: 'x'.repeat(25_000_000) });
  await lockWaits(database.pool);
  const text = await answerWithoutBody('POST /api/dead-letters HTTP/1.1\r\nContent-Length: 20000000');
  expect(text).toContain('HTTP/1.1 429');
  expect(text).toContain('DLO_INTAKE_BYTES');
  expect((await capture('a small one')).status).toBe(200);
  await letGo();
  expect((await large).status).toBe(200);
});

test('a place is free again when the last line is stored, and when its sender is gone', async () => {
  for (let i = 0; i < 3 * CONCURRENCY; i++) {
    const lines = Array.from({ length: 3 }, (_, n) => JSON.stringify({ work_key: `l-${n}`, task_name: 't' })).join(
      '\n',
    );
    const answer = await fetch(`${server.url}/api/dead-letters`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    expect(answer.status).toBe(200);
    await answer.text();
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('close', () => resolve());
      socket.write(
        'POST /api/dead-letters HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5000\r\n\r\n{"work',
        () => socket.destroy(),
      );
    });
  }
  await vi.waitUntil(async () => (await capture('free')).status === 200);
});
