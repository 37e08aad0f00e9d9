import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { errorSchema } from '@/lib/contract/error';
import { listSchema, triageSchema } from '@/lib/contract/triage';
import type { RouteHandler } from '@/lib/http/route';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
const handlers: Record<'triage' | 'list' | 'evidence' | 'tile' | 'tile_json', RouteHandler> = Object.create(null);

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  handlers.triage = (await import('@/app/api/triage/route')).GET;
  handlers.list = (await import('@/app/api/dead-letters/route')).GET;
  handlers.evidence = (await import('@/app/api/dead-letters/[id]/evidence/route')).GET;
  handlers.tile = (await import('@/app/api/tiles/[z]/[x]/[y]/route')).GET;
  handlers.tile_json = (await import('@/app/api/tiles.json/route')).GET;
  await insertRows(
    database.pool,
    Array.from({ length: 130 }, (_, i) => ({
      ...blankRow(i + 1),
      failure_class: i % 2 ? 'oom' : 'unknown',
      task_name: i % 3 ? 'clip' : `it's "100%" \\ 🗺`,
    })),
  );
});
afterAll(async () => {
  await closePool();
  await database?.drop();
});

const refusal = async (handler: RouteHandler, path: string, params?: Record<string, string>) => {
  const { status, json } = await send(handler, params ? { path, params } : { path });
  return { status, ...errorSchema.parse(json).error };
};

describe('GET /api/triage', () => {
  test('answers in the contract, and its cursor leads through the list', async () => {
    const { status, json } = await send(handlers.triage, { path: '/api/triage?failure_class=oom&limit=40' });
    expect(status).toBe(200);
    const answer = triageSchema.parse(json);
    expect(answer).toMatchObject({ total: 65, depth: 130 });
    expect(answer.facets.failure_class.values).toEqual([
      { value: 'oom', count: 65 },
      { value: 'unknown', count: 65 },
    ]);
    const next = await send(handlers.list, {
      path: `/api/dead-letters?failure_class=oom&limit=40&cursor=${answer.next_cursor}`,
    });
    const page = listSchema.parse(next.json);
    expect(page.next_cursor).toBeNull();
    expect(new Set([...answer.items, ...page.items].map(({ id }) => id)).size).toBe(65);
  });

  test('takes the values of a filter as they are', async () => {
    const value = encodeURIComponent(`it's "100%" \\ 🗺`);
    const { json } = await send(handlers.triage, { path: `/api/triage?task_name=${value}` });
    expect(triageSchema.parse(json).total).toBe(44);
  });

  test('refuses what it cannot read, naming the parameter', async () => {
    for (const [query, named] of [
      ['stat=open', 'stat'],
      ['state=shut', 'state'],
      ['bbox=1,2,3', 'bbox'],
      ['bbox=a,b,c,d', 'bbox'],
      ['since=yesterday', 'since'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=1e2', 'limit'],
      ['sort=id', 'sort'],
      ['dir=up', 'dir'],
      ['cursor=nonsense', 'cursor'],
      ['cursor=', 'cursor'],
      ['mappable=yes', 'mappable'],
      ['ids=1;2', 'ids'],
    ]) {
      expect(await refusal(handlers.triage, `/api/triage?${query}`), query).toMatchObject({
        status: 400,
        code: 'bad_request',
        message: expect.stringContaining(named ?? ''),
      });
      expect((await refusal(handlers.list, `/api/dead-letters?${query}`)).status, query).toBe(400);
    }
  });
});

describe('GET /api/tiles', () => {
  const params = { z: '0', x: '0', y: '0' };
  const path = '/api/tiles/0/0/0';

  test('sends a tile once, then says that it is still the right one', async () => {
    const first = await send(handlers.tile, { path, params });
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await send(handlers.tile, { path, params, headers: { 'if-none-match': `"older", ${etag}` } });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.get('etag')).toBe(etag);
    await database.pool.query('update dlq.state set max_redrives = 4 where entry_id = 1');
    expect((await send(handlers.tile, { path, params, headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('refuses an address that is none, and a filter that cannot be read', async () => {
    for (const bad of [
      { z: '0', x: '1', y: '0' },
      { z: '-1', x: '0', y: '0' },
      { z: '30', x: '0', y: '0' },
      { z: 'a', x: '0', y: '0' },
    ])
      expect(await refusal(handlers.tile, '/api/tiles/a/b/c', bad)).toMatchObject({ status: 400, code: 'bad_request' });
    expect((await refusal(handlers.tile, `${path}?colour=red`, params)).status).toBe(400);
  });

  test('is described by TileJSON with the same filter and the layers', async () => {
    const { json } = await send(handlers.tile_json, { path: '/api/tiles.json?failure_class=oom' });
    expect(json).toMatchObject({
      tilejson: '3.0.0',
      tiles: ['http://localhost:3000/api/tiles/{z}/{x}/{y}?failure_class=oom'],
      vector_layers: [{ id: 'cells' }, { id: 'points' }, { id: 'outlines' }],
    });
  });
});

describe('GET /api/dead-letters/{id}/evidence', () => {
  test('answers 404 in words for an entry that is not there', async () => {
    expect(await refusal(handlers.evidence, '/api/dead-letters/77777/evidence', { id: '77777' })).toMatchObject({
      status: 404,
      message: 'there is no entry 77777',
    });
  });
});
