import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { capturedSchema } from '@/lib/contract/capture';
import { recordedOutcomeSchema, taskSchema } from '@/lib/contract/task';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
let capture: RouteHandler;
let outcome: RouteHandler;
let task: { GET: RouteHandler; PUT: RouteHandler };
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  capture = (await import('@/app/api/dead-letters/route')).POST;
  outcome = (await import('@/app/api/dead-letters/[id]/outcome/route')).POST;
  task = await import('@/app/api/tasks/[task_name]/route');
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

const params = { task_name: 'reproject_parcels' };
const manifest = {
  code_versions: ['1.2.0'],
  params_schema: { type: 'object', properties: { tolerance: { type: 'number' } }, required: ['tolerance'] },
  target: 'parcels',
  owner: 'team-cadastre',
};

describe('a manifest', () => {
  test('is kept as it was registered, with who registered it, and can be replaced', async () => {
    const put = await send(task.PUT, { method: 'PUT', params, body: manifest });
    expect(put.status).toBe(200);
    expect(taskSchema.parse(put.json)).toMatchObject({
      ...manifest,
      ...params,
      idempotent: false,
      takes_references: false,
      updated_by: 'operator',
    });
    await send(task.PUT, { method: 'PUT', params, body: { ...manifest, code_versions: ['1.2.0', '1.3.0'] } });
    const got = taskSchema.parse((await send(task.GET, { params })).json);
    expect(got.code_versions).toEqual(['1.2.0', '1.3.0']);
  });

  test('of a task that registered none is not found', async () =>
    expect((await send(task.GET, { params: { task_name: 'no\u2028such' } })).status).toBe(404));

  test.each([
    ['an unknown member', { ...manifest, code_version: '1' }, 400],
    ['no version', { ...manifest, code_versions: [] }, 400],
    ['a schema that is none', { ...manifest, params_schema: { type: 'polygon' } }, 422],
    ['NUL', { ...manifest, owner: 'a\0b' }, 400],
  ])('with %s is refused', async (_, body, status) => {
    const answer = await send(task.PUT, { method: 'PUT', params: { task_name: 'refused' }, body });
    expect(answer.status).toBe(status);
    expect((await send(task.GET, { params: { task_name: 'refused' } })).status).toBe(404);
  });

  test('is not written by a page of another site', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await send(task.PUT, { method: 'PUT', params, body: manifest, headers })).status).toBe(403);
  });
});

describe('the outcome of a redrive', () => {
  const attempt_id = '0b5d6f0e-27a7-4d5a-9c55-3f1f0f5f7a11';

  test('resolves the entry, counts once, and contradicts nothing that was known', async () => {
    const captured = capturedSchema.parse((await send(capture, { body: { work_key: 'o', task_name: 't' } })).json);
    await database.pool.query(
      `with r as (
         insert into dlq.redrive (id, entry_id, payload_hash, idempotency_key, target, worker, sent_at, acked_at)
         select $1::uuid, e.id, e.payload_hash, e.idempotency_key, 'x', 'w', clock_timestamp(), clock_timestamp() from dlq.entry e where e.id = $2::bigint
       )
       update dlq.state set state = 'redriving', attempt_id = $1::uuid, lease_until = now() + interval '1 minute', version = version + 1
       where entry_id = $2::bigint`,
      [attempt_id, captured.id],
    );
    await database.pool.query(
      `update dlq.state set state = 'redriven', redriven_at = now(), lease_until = null, version = version + 1 where entry_id = $1::bigint`,
      [captured.id],
    );
    const tell = (body: unknown, id = captured.id) => send(outcome, { params: { id }, body });
    const first = await tell({ attempt_id, outcome: 'succeeded' });
    expect(recordedOutcomeSchema.parse(first.json)).toEqual({ applied: true, state: 'resolved', resolution: 'fixed' });
    expect((await tell({ attempt_id, outcome: 'succeeded' })).json).toMatchObject({
      applied: false,
      state: 'resolved',
    });
    expect((await tell({ attempt_id, outcome: 'failed' })).status).toBe(409);
    expect((await tell({ attempt_id, outcome: 'succeeded' }, '999')).status).toBe(404);
  });

  test.each(['abc', '0', '-1', '99999999999999999999', '1 or 1=1'])('of the entry “%s” is not found', async (id) => {
    const answer = await send(outcome, { params: { id }, body: { attempt_id, outcome: 'succeeded' } });
    expect(answer.status).toBe(404);
  });

  test('without an attempt is refused', async () =>
    expect((await send(outcome, { params: { id: '1' }, body: { outcome: 'succeeded' } })).status).toBe(400));
});
