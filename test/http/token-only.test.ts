import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { createdTokenSchema } from '@/lib/contract/token';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
let letters: { GET: RouteHandler; POST: RouteHandler };
let runs: { GET: RouteHandler; POST: RouteHandler };
let tokens: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  vi.stubEnv('DLO_INTAKE', 'token');
  letters = await import('@/app/api/dead-letters/route');
  runs = await import('@/app/api/runs/route');
  tokens = (await import('@/app/api/tokens/route')).POST;
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

test('with DLO_INTAKE=token, what comes in without one is refused with the command that makes one; people go on as before', async () => {
  const body = { work_key: 'k', task_name: 't' };
  const run = { run_id: 'r', task_name: 't' };
  for (const answer of [await send(letters.POST, { body }), await send(runs.POST, { body: run })]) {
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('dlo token create <name>');
  }
  expect((await send(letters.GET)).status).toBe(200);
  expect((await send(runs.GET)).status).toBe(200);
  const { token } = createdTokenSchema.parse((await send(tokens, { body: { name: 'only' } })).json);
  const headers = { authorization: `Bearer ${token}` };
  expect((await send(letters.POST, { body, headers })).status).toBe(200);
  expect((await send(runs.POST, { body: run, headers })).status).toBe(200);
});
