import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import type { RouteHandler } from '@/lib/http/route';
import { send } from '@/test/support/http';
import { makeStoppableServer, type StoppableServer } from '@/test/support/stoppable-server';

let server: StoppableServer;
let capture: RouteHandler;
let depth: RouteHandler;
let health: RouteHandler;
let ready: RouteHandler;

beforeAll(async () => {
  server = await makeStoppableServer();
  vi.stubEnv('DATABASE_URL', server.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  capture = (await import('@/app/api/dead-letters/route')).POST;
  depth = (await import('@/app/api/depth/route')).GET;
  health = (await import('@/app/healthz/route')).GET;
  ready = (await import('@/app/readyz/route')).GET;
});
afterAll(async () => {
  await closePool();
  await server.remove();
});

const line = (work_key: string) => JSON.stringify({ work_key, task_name: 't' });
const away = { error: { code: 'database_unavailable', message: expect.any(String) } };
const ndjson = { 'content-type': 'application/x-ndjson' };

/**
 * Makes every capture of a known key sleep in the database. A lock would not do: the stop ends its holder too, and the
 * waiting statement can finish before its own end comes.
 */
const HOLD = `
  create function hold() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
  create trigger hold before update on dlq.entry for each row execute function hold()`;

async function withClient<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Resolves when a statement of the application sleeps. */
async function untilSomeoneSleeps(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`);
    if (rows.length > 0) return;
  }
}

async function untilStored(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select from dlq.entry where work_key like 'stream-%'`);
    if (rows.length === 500) return;
  }
}

test('a request under way when the database stops answers 503 in JSON, and so do all until it is back; then it works', async () => {
  expect((await send(capture, { body: line('away') })).status).toBe(200);
  expect((await send(ready)).status).toBe(200);

  const under_way = await withClient(async (client) => {
    await client.query(HOLD);
    const request = send(capture, { body: line('away') });
    await untilSomeoneSleeps(client);
    return { request };
  });
  await server.stop();
  const broken_off = await under_way.request;
  expect(broken_off.status).toBe(503);
  expect(broken_off.json).toEqual(away);
  expect(broken_off.headers.get('retry-after')).toBe('2');

  for (const answer of [
    await send(capture, { body: line('away') }),
    await send(capture, { body: `${line('away')}\n${line('away-2')}`, headers: ndjson }),
    await send(depth),
  ]) {
    expect(answer.status).toBe(503);
    expect(answer.json).toEqual(away);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/);
  }
  expect((await send(health)).status).toBe(200);
  const not_ready = await send(ready);
  expect(not_ready.status).toBe(503);
  expect(not_ready.json).toMatchObject({ ready: false, reasons: [expect.stringContaining('cannot be reached')] });

  await server.start();
  await withClient((client) => client.query('drop function hold cascade'));
  expect((await send(ready)).json).toMatchObject({ ready: true, reasons: [] });
  expect((await send(capture, { body: line('away') })).json).toMatchObject({ attempts: 2, outcome: 'repeated' });
  expect((await send(depth)).json).toMatchObject({ depth: 1 });
});

test('lines that a stop left unstored are each answered so; those before it are stored, those after it too', async () => {
  const keys = (from: number) => Array.from({ length: 500 }, (_, i) => `stream-${from + i}`);
  const part = (from: number) => Buffer.from(`${keys(from).map(line).join('\n')}\n`);
  const steps = [
    async () => part(0),
    async () => {
      // lines are read while those before them are stored
      await withClient(untilStored);
      await server.stop();
      return part(500);
    },
    async () => {
      await server.start();
      return part(1000);
    },
  ];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = steps.shift();
        if (step) controller.enqueue(await step());
        else controller.close();
      },
    },
    // nothing is read ahead, so that a step runs after the lines before it were stored
    { highWaterMark: 0 },
  );
  const answer = await send(capture, { body, headers: ndjson });
  expect(answer.status).toBe(200);
  const answers = answer.text
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(answers).toHaveLength(1500);
  expect(answers.slice(0, 500).every(({ outcome }) => outcome === 'created')).toBe(true);
  expect(answers.slice(500, 1000)).toEqual(
    Array.from({ length: 500 }, (_, i) => ({ line: 501 + i, error: away.error })),
  );
  expect(answers.slice(1000).every(({ outcome }) => outcome === 'created')).toBe(true);
});
