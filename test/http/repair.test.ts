import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { editedPayloadSchema } from '@/lib/contract/edit';
import { entrySchema } from '@/lib/contract/entry';
import { repairSchema } from '@/lib/contract/repair';
import type { RouteHandler } from '@/lib/http/route';
import { captureOne } from '@/lib/ingest/capture-one';
import { createToken } from '@/lib/tokens/create-token';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

const role = vi.hoisted(() => ({ now: 'operator' as 'viewer' | 'operator' | 'admin' }));
vi.mock('@/lib/http/actor', async (original) => ({
  ...(await original<typeof import('@/lib/http/actor')>()),
  actorOf: async (request: Request) =>
    request.headers.get('authorization') ? null : { name: 'Ada', role: role.now, by: 'loopback', producer: null },
}));

let database: TestDatabase;
let repair: RouteHandler;
let payload: RouteHandler;
let entry: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  repair = (await import('@/app/api/dead-letters/[id]/repair/route')).GET;
  payload = (await import('@/app/api/dead-letters/[id]/payload/route')).POST;
  entry = (await import('@/app/api/dead-letters/[id]/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database?.drop();
});

let count = 0;
async function captured(members: Record<string, unknown> = {}): Promise<string> {
  const bowtie = { geom_wkt: 'POLYGON((0 0,1 1,1 0,0 1,0 0))', src_crs: 'EPSG:4326' };
  const text = JSON.stringify({ work_key: `k${++count}`, task_name: 'clip', ...bowtie, ...members });
  return (await captureOne({ db: database.db }, { text, via: 'http' })).id;
}

const preview = (id: string, query = '') =>
  send(repair, { path: `/api/dead-letters/${id}/repair${query}`, params: { id } });
const read = async (id: string) => entrySchema.parse((await send(entry, { params: { id } })).json);
const post = (id: string, body: unknown, headers = {}) =>
  send(payload, { body, params: { id }, headers, path: `/api/dead-letters/${id}/payload` });

async function seen(id: string): Promise<{ payload_hash: string; version: string; reason: string }> {
  const { payload: current, version } = await read(id);
  return { payload_hash: current.payload_hash, version, reason: 'for a redrive' };
}

describe('the preview of a repair', () => {
  test('follows the contract, by linework unless asked otherwise', async () => {
    const id = await captured();
    const answer = await preview(id);
    expect(answer.status).toBe(200);
    expect(repairSchema.parse(answer.json)).toMatchObject({ method: 'linework', possible: true, area_after: 0.5 });
    expect((await preview(id, '?method=structure')).json).toMatchObject({ method: 'structure' });
  });

  test('of what cannot be repaired is an answer, and a method that there is not an error', async () => {
    const id = await captured({ geom_wkt: 'CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))' });
    const answer = await preview(id);
    expect(answer.status).toBe(200);
    expect(repairSchema.parse(answer.json)).toMatchObject({
      possible: false,
      why_not: expect.stringContaining('Curve'),
    });
    expect((await preview(id, '?method=magic')).status).toBe(400);
    expect((await preview('99999999')).status).toBe(404);
    expect((await preview('x')).status).toBe(404);
  });

  test('shows a viewer nothing of a sensitive entry', async () => {
    const id = await captured({ sensitive: true });
    role.now = 'viewer';
    const masked = await preview(id);
    role.now = 'operator';
    expect(masked.json).toMatchObject({ possible: false, geom_wkb: null, payload_hash: 'masked' });
    expect((await preview(id)).json).toMatchObject({ possible: true });
  });
});

describe('an edit of a payload', () => {
  test('is taken once: the same again is refused by its version', async () => {
    const id = await captured();
    const body = { ...(await seen(id)), repair: { method: 'linework' } };
    const first = await post(id, body);
    expect(first.status).toBe(200);
    const edited = editedPayloadSchema.parse(first.json);
    expect((await read(id)).payload).toMatchObject({ payload_hash: edited.payload_hash, edited_by: edited.edited_by });
    const second = await post(id, body);
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      error: { code: 'conflict', details: { reason: 'changed', version: edited.version } },
    });
    expect((await read(id)).payloads).toHaveLength(2);
  });

  test.each([
    ['viewer', 403],
    ['operator', 200],
    ['admin', 200],
  ] as const)('by a %s: %i', async (who, status) => {
    const id = await captured();
    const body = { ...(await seen(id)), src_crs: 'EPSG:3734' };
    role.now = who;
    const answer = await post(id, body);
    role.now = 'operator';
    expect(answer.status).toBe(status);
    expect((await read(id)).payloads).toHaveLength(status === 200 ? 2 : 1);
  });

  test('by a producer’s token is refused', async () => {
    const id = await captured();
    const { token } = await createToken({ db: database.db, actor: { name: 'Ada' } }, { name: 'parcels' });
    const body = { ...(await seen(id)), src_crs: 'EPSG:3734' };
    expect((await post(id, body, { authorization: `Bearer ${token}` })).status).toBe(403);
  });

  test.each([
    ['none of the three', {}, 'must have one of repair, src_crs and revert_to'],
    [
      'two of them',
      { repair: { method: 'linework' }, src_crs: 'EPSG:1' },
      'must have one of repair, src_crs and revert_to',
    ],
    ['axes without a CRS', { repair: { method: 'linework' }, swapped: true }, 'go with src_crs alone'],
    ['a geometry of its own', { repair: { method: 'linework' }, geom_wkb: '00' }, 'geom_wkb'],
    ['no reason', { repair: { method: 'linework' }, reason: ' ' }, 'say why'],
  ])('with %s is refused as a body', async (_, change, message) => {
    const id = await captured();
    const answer = await post(id, { ...(await seen(id)), ...change });
    expect([400, 422]).toContain(answer.status);
    expect(answer.text).toContain(message);
    expect((await read(id)).payloads).toHaveLength(1);
  });

  test('from another site is refused', async () => {
    const id = await captured();
    const body = { ...(await seen(id)), src_crs: 'EPSG:3734' };
    expect((await post(id, body, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});
