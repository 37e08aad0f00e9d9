import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';

let database: TestDatabase;
let capture: RouteHandler;
let read: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  capture = (await import('@/app/api/dead-letters/route')).POST;
  read = (await import('@/app/api/dead-letters/[id]/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

const ID = '5a3f2f0e-27a7-4d5a-9c55-3f1f0f5f7b01';
const post = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const { status, json } = await send(capture, { body: { task_name: 'clip', ...body }, headers });
  return { status, ...(json as { id: string; attempts: number; outcome: string; error?: { message: string } }) };
};
const entry = async (id: string) =>
  (await send(read, { params: { id } })).json as {
    attempts: number;
    error_text: string;
    code_version: string;
    state: string;
    failed_at: string;
    first_seen: string;
  };

test('a capture that comes again under its id is a duplicate, answered with 200, in the body as in the header', async () => {
  const first = await post({ work_key: 'again' }, { 'capture-id': ID });
  expect(first).toMatchObject({ status: 200, outcome: 'created', attempts: 1 });
  for (const again of [
    await post({ work_key: 'again' }, { 'capture-id': ID }),
    await post({ work_key: 'again', capture_id: ID }),
    await post({ work_key: 'again', capture_id: ID }, { 'capture-id': ID.toUpperCase() }),
  ])
    expect(again).toMatchObject({ status: 200, id: first.id, outcome: 'duplicate', attempts: 1 });
});

test('another body under an id that was counted changes nothing: the first stays', async () => {
  const capture_id = ID.replace('b01', 'b02');
  const first = await post({ work_key: 'first stays', capture_id, error_text: 'the first', code_version: '1' });
  const body = {
    work_key: 'first stays',
    capture_id,
    error_text: 'the second',
    code_version: '2',
    geom_wkt: 'POINT(1 2)',
  };
  expect(await post(body)).toMatchObject({ status: 200, id: first.id, outcome: 'duplicate', attempts: 1 });
  const [answer] = await sendLines(capture, [JSON.stringify({ task_name: 'clip', ...body })]);
  expect(answer).toMatchObject({ outcome: 'duplicate', attempts: 1 });
  expect(await entry(first.id)).toMatchObject({ error_text: 'the first', code_version: '1', attempts: 1 });
});

test('a capture that comes late only counts: what is newer stays, and nothing reopens', async () => {
  const newest = await post({
    work_key: 'late',
    failed_at: '2026-11-02T00:00:00Z',
    error_text: 'the newest',
    code_version: '2',
  });
  expect(
    await post({ work_key: 'late', failed_at: '2026-11-01T00:00:00Z', error_text: 'late', code_version: '1' }),
  ).toMatchObject({
    outcome: 'repeated',
    attempts: 2,
  });
  const known = { error_text: 'the newest', code_version: '2', state: 'open' };
  expect(await entry(newest.id)).toMatchObject({ ...known, attempts: 2 });
  await database.pool.query(
    `update dlq.state set state = 'resolved', resolution = 'fixed', resolved_at = '2026-11-03T00:00:00Z', version = version + 1
     where entry_id = $1::bigint`,
    [newest.id],
  );
  expect(await post({ work_key: 'late', failed_at: '2026-11-02T12:00:00Z' })).toMatchObject({
    outcome: 'repeated',
    attempts: 3,
  });
  expect(await entry(newest.id)).toMatchObject({ state: 'resolved', attempts: 3 });
  expect(await post({ work_key: 'late', failed_at: '2026-11-03T00:00:01Z' })).toMatchObject({
    outcome: 'reopened',
    attempts: 4,
  });
});

test('a header and a body that name two captures are refused, naming both places', async () => {
  const refused = await post(
    { work_key: 'two', capture_id: ID.replace('b01', 'b03') },
    { 'capture-id': ID.replace('b01', 'b04') },
  );
  expect(refused.status).toBe(400);
  expect(refused.error?.message).toMatch(/Capture-Id and capture_id differ/);
});

test('the document of the API says these rules', async () => {
  const { openApiDocument } = await import('@/lib/http/openapi');
  const { post: operation } = openApiDocument({ version: '0' }).paths?.['/api/dead-letters'] ?? {};
  for (const rule of [/counts once/, /what came first stays/, /only counts/, /reopens/, /gzip/, /line 0/])
    expect(operation?.description).toMatch(rule);
  expect(operation?.description).toContain('or a producer’s token');
});
