import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { type CreatedToken, createdTokenSchema, tokenSchema } from '@/lib/contract/token';
import { actorOf } from '@/lib/http/actor';
import { API_OPERATIONS } from '@/lib/http/api-operations';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';

const root = path.join(import.meta.dirname, '../..');
const log_lines: string[] = [];

let database: TestDatabase;
let capture: RouteHandler;
let runs: RouteHandler;
let tokens: { GET: RouteHandler; POST: RouteHandler };
let revoke: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  const shared = globalThis as { [key: symbol]: unknown };
  shared[Symbol.for('dead-letter-office.log')] = pino({ level: 'trace' }, { write: (line) => log_lines.push(line) });
  capture = (await import('@/app/api/dead-letters/route')).POST;
  runs = (await import('@/app/api/runs/route')).POST;
  tokens = await import('@/app/api/tokens/route');
  revoke = (await import('@/app/api/tokens/[id]/revoke/route')).POST;
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

async function make(body: Record<string, unknown>): Promise<CreatedToken> {
  const answer = await send(tokens.POST, { body });
  expect(answer.status).toBe(200);
  return createdTokenSchema.parse(answer.json);
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const sent = (token: string, body: Record<string, unknown>) =>
  send(capture, { body: { work_key: 'k', task_name: 'clip', ...body }, headers: bearer(token) });
const listed = async () => tokenSchema.array().parse(((await send(tokens.GET)).json as { items: unknown }).items);

async function queueOf(work_key: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ queue: string }>('select queue from dlq.entry where work_key = $1', [
    work_key,
  ]);
  return rows[0]?.queue;
}

describe('a token', () => {
  test('is shown once, and stored as a hash alone', async () => {
    const made = await make({ name: 'parcels' });
    expect(made.token).toMatch(/^dlo_p_\d+_[A-Za-z0-9_-]{43}$/);
    expect(made).toMatchObject({ scope: 'produce', created_by: 'operator', last_used_at: null });
    expect(made.token.endsWith(made.hint)).toBe(true);
    const secret = made.token.split('_').slice(3).join('_');
    expect((await send(tokens.GET)).text).not.toContain(secret.slice(0, 20));
    const { rows } = await database.pool.query<{ row: string }>('select t::text as row from dlq.token t');
    expect(rows.map(({ row }) => row).join()).not.toContain(secret.slice(0, 20));
    expect((await sent(made.token, { work_key: 'shown once' })).status).toBe(200);
  });

  test('has a name that none in use has; a revoked one leaves it', async () => {
    const first = await make({ name: 'taken' });
    const again = await send(tokens.POST, { body: { name: 'taken' } });
    expect(again.status).toBe(409);
    expect(again.text).toContain("dlo token revoke 'taken'");
    await send(revoke, { method: 'POST', params: { id: first.id } });
    expect((await make({ name: 'taken' })).id).not.toBe(first.id);
  });

  test.each([
    ['without a name', {}],
    ['named like an id', { name: '12' }],
    ['that has expired already', { name: 'old', expires_at: '2020-01-01T00:00:00Z' }],
    ['for no task at all', { name: 'none', task_names: [] }],
    ['with a member that is none', { name: 'x', scope: 'admin' }],
  ])('%s is refused', async (_, body) => expect((await send(tokens.POST, { body })).status).toBe(400));

  test('shows when it was used, to the minute', async () => {
    const made = await make({ name: 'used' });
    const used = async () => (await listed()).find(({ id }) => id === made.id)?.last_used_at ?? null;
    await sent(made.token, { work_key: 'used' });
    const first = await vi.waitUntil(used);
    await sent(made.token, { work_key: 'used' });
    expect(await used()).toBe(first);
  });

  test('costs no look-up of its own for each request', async () => {
    const made = await make({ name: 'cached' });
    await sent(made.token, { work_key: 'cached' });
    await database.pool.query('alter table dlq.token rename to token_away');
    try {
      expect((await sent(made.token, { work_key: 'cached' })).json).toMatchObject({ attempts: 2 });
      expect((await sent(made.token.replace(/_\d+_/, '_999_'), {})).status).toBe(500);
    } finally {
      await database.pool.query('alter table dlq.token_away rename to token');
    }
  });
});

describe('who shows a token that is none', () => {
  const not_ours = `dlo_p_1_${'A'.repeat(43)}`;
  test.each([
    ['of another id', `Bearer dlo_p_998_${'A'.repeat(43)}`],
    ['of no form', 'Bearer hello'],
    ['of nothing', 'Bearer '],
    ['without Bearer', not_ours],
    ['of another scheme', `Token ${not_ours}`],
    ['twice', `Bearer ${not_ours}, Bearer ${not_ours}`],
  ])('%s is nobody, here and everywhere, and never the operator of this machine', async (_, authorization) => {
    const body = { work_key: 'nobody', task_name: 't' };
    for (const [handler, how] of [
      [capture, { body }],
      [runs, { body: { run_id: 'r', task_name: 't' } }],
      [tokens.GET, {}],
    ] as const) {
      const answer = await send(handler, { ...how, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await queueOf('nobody')).toBeUndefined();
    expect(await actorOf(new Request('http://page.local/', { headers: { authorization } }))).toBeNull();
  });

  test('of another secret than the stored one is nobody', async () => {
    const { token } = await make({ name: 'guessed' });
    const guess = token.slice(0, -43) + 'A'.repeat(43);
    expect((await sent(guess, { work_key: 'nobody' })).status).toBe(401);
    expect((await sent(`${token}A`, { work_key: 'nobody' })).status).toBe(401);
    expect(await queueOf('nobody')).toBeUndefined();
  });

  test('expired or revoked is told so', async () => {
    const made = await make({ name: 'short', expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect((await sent(made.token, { work_key: 'short' })).status).toBe(200);
    await database.pool.query(`update dlq.token set expires_at = now() - interval '1 second' where id = $1`, [made.id]);
    // a revocation here is known here at once; what another process wrote, within ten seconds
    const { forgetToken } = await import('@/lib/tokens/recognise-token');
    forgetToken(made.id);
    expect((await sent(made.token, {})).json).toMatchObject({
      error: { code: 'unauthorized', message: expect.stringMatching(/short .*expired at/) },
    });
    const revoked = await make({ name: 'ended' });
    expect((await sent(revoked.token, { work_key: 'short' })).status).toBe(200);
    const answer = await send(revoke, { method: 'POST', params: { id: revoked.id } });
    expect(tokenSchema.parse(answer.json).revoked_at).not.toBeNull();
    expect((await sent(revoked.token, {})).json).toMatchObject({
      error: { code: 'unauthorized', message: expect.stringMatching(/ended .*revoked at/) },
    });
    expect((await send(revoke, { method: 'POST', params: { id: revoked.id } })).json).toEqual(answer.json);
    expect((await send(revoke, { method: 'POST', params: { id: '999' } })).status).toBe(404);
  });

  test('Basic, which a proxy in front asks for, is the person behind the proxy', async () =>
    expect((await send(tokens.GET, { headers: { authorization: 'Basic YTpi' } })).status).toBe(200));
});

describe('a producer', () => {
  test('may ask the intake and nothing else', async () => {
    const made = await make({ name: 'everywhere' });
    const open: string[] = [];
    for (const { method, path: where, intake } of API_OPERATIONS) {
      if (!where.startsWith('/api/') || where === '/api/openapi.json') continue;
      const folder = where.replace(/\{(\w+)\}/g, '[$1]');
      const handlers = (await import(/* @vite-ignore */ `@/app${folder}/route`)) as Record<string, RouteHandler>;
      const params = Object.fromEntries([...where.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, '1']));
      const handler = handlers[method.toUpperCase()];
      if (!handler) throw new Error(`${method} ${where} has no handler`);
      const answer = await send(handler, { method: method.toUpperCase(), params, headers: bearer(made.token) });
      if (answer.status === 403) expect(answer.text).toContain('everywhere is a producer');
      else open.push(`${method} ${where}`);
      expect([where, answer.status === 403]).toEqual([where, !intake]);
    }
    expect(open).toContain('post /api/dead-letters');
    expect(open).toContain('post /api/runs');
    expect(open.filter((one) => !/^(post|put|head) \/api\/(dead-letters|runs|blobs\/\{sha256\})$/.test(one))).toEqual(
      [],
    );
  });

  test('of a queue sends into it, named or not, and into no other', async () => {
    const { token } = await make({ name: 'of-prod', queue: 'prod' });
    await sent(token, { work_key: 'q-left-out' });
    await sent(token, { work_key: 'q-named', queue: 'prod' });
    expect([await queueOf('q-left-out'), await queueOf('q-named')]).toEqual(['prod', 'prod']);
    const other = await sent(token, { work_key: 'q-other', queue: 'default' });
    expect(other.status).toBe(403);
    expect(other.json).toMatchObject({
      error: { code: 'forbidden', message: expect.stringMatching(/of-prod .*“prod”, not “default”/) },
    });
    const lines = ['default', 'prod'].map((queue) => JSON.stringify({ work_key: `q-${queue}`, task_name: 't', queue }));
    const answer = await send(capture, {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson', ...bearer(token) },
    });
    const [refused, taken] = answer.text
      .trim()
      .split('\n')
      .map((one): unknown => JSON.parse(one));
    expect(refused).toEqual({ line: 1, error: { code: 'forbidden', message: expect.stringContaining('of-prod') } });
    expect(taken).toMatchObject({ outcome: 'created' });
    expect(await queueOf('q-other')).toBeUndefined();
    expect(await queueOf('q-default')).toBeUndefined();
  });

  test('of some tasks sends those alone', async () => {
    const { token } = await make({ name: 'of-tasks', task_names: ['clip', 'tile'] });
    expect((await sent(token, { work_key: 't-clip' })).status).toBe(200);
    const other = await sent(token, { work_key: 't-other', task_name: 'mosaic' });
    expect(other.status).toBe(403);
    expect(other.text).toContain('clip, tile, not “mosaic”');
  });

  test('reports runs within the same limits, under its name', async () => {
    const { token } = await make({ name: 'of-runs', queue: 'prod', task_names: ['clip'] });
    const report = (body: Record<string, unknown>) =>
      send(runs, { body: { run_id: 'r1', task_name: 'clip', ...body }, headers: bearer(token) });
    expect((await report({})).json).toMatchObject({ queue: 'prod', reported_by: 'token:of-runs' });
    expect((await report({ queue: 'default' })).status).toBe(403);
    expect((await report({ task_name: 'mosaic' })).status).toBe(403);
  });

  test('that sends more than its rate is told when to come back', async () => {
    const { token } = await make({ name: 'of-rate', captures_per_s: 0.5 });
    const lines = Array.from({ length: 20 }, (_, i) => JSON.stringify({ work_key: `rate-${i}`, task_name: 't' }));
    const headers = { 'content-type': 'application/x-ndjson', ...bearer(token) };
    expect((await send(capture, { body: lines.join('\n'), headers })).text.trim().split('\n')).toHaveLength(20);
    const answer = await sent(token, { work_key: 'rate-next' });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(20);
    expect((await send(capture, { body: { work_key: 'rate-other', task_name: 't' } })).status).toBe(200);
  });

  test('in a browser of another site is refused, from a pipeline it is not', async () => {
    const { token } = await make({ name: 'of-site' });
    const body = { work_key: 'site', task_name: 't' };
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign)
      expect((await send(capture, { body, headers: { ...bearer(token), ...headers } })).status).toBe(403);
    expect((await send(capture, { body, headers: bearer(token) })).status).toBe(200);
  });
});

test('dlo token makes, lists and revokes', async () => {
  const dlo = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [path.join(root, 'lib/cli/dlo.mjs'), 'token', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    });
  const made = await dlo('create', 'from-cli', '--queue', 'prod', '--task', 'clip', 'tile', '--expires', '90d');
  const token = made.stdout.trim();
  expect(made.stderr).toMatch(/queue prod, tasks clip, tile\. This is the only time/);
  expect((await sent(token, { work_key: 'cli' })).status).toBe(200);
  expect(await queueOf('cli')).toBe('prod');
  const list = await dlo('list');
  expect(list.stdout).toMatch(/from-cli {2}dlo_p_\d+_….{4} {2}valid until .*queue prod, tasks clip, tile/);
  expect(list.stdout).not.toContain(token);
  expect((await dlo('revoke', 'from-cli')).stdout).toContain('is revoked since');
  await expect(dlo('revoke', 'nobody')).rejects.toMatchObject({
    code: 1,
    stderr: 'there is no token nobody; dlo token list shows them\n',
  });
  await expect(dlo('create', 'x', '--expires', 'soon')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^--expires takes/),
  });
});

test('the log names a token by its id, and holds the secret of none, good or bad', async () => {
  const made = await make({ name: 'logged' });
  await sent(made.token, { work_key: 'logged' });
  await sent(`${made.token.slice(0, -5)}AAAAA`, {});
  await sendLines(capture, ['{}']);
  const written = log_lines.join('');
  expect(written).toContain(`"token_id":"${made.id}"`);
  expect(written).not.toContain(made.token.split('_').slice(3).join('_').slice(0, 20));
  expect(written).not.toMatch(/dlo_p_\d+_[A-Za-z0-9_-]/);
  expect(written).not.toContain('Bearer');
});
