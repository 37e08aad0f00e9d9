import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { paramSuggestionsSchema, placesSchema, valueSuggestionsSchema } from '@/lib/contract/search';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
const handlers: Record<
  'capture' | 'list' | 'preview' | 'export' | 'params' | 'values' | 'places' | 'ready',
  RouteHandler
> = Object.create(null);

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  const dead_letters = await import('@/app/api/dead-letters/route');
  handlers.capture = dead_letters.POST;
  handlers.list = dead_letters.GET;
  handlers.preview = (await import('@/app/api/operations/preview/route')).POST;
  handlers.export = (await import('@/app/api/export/[format]/route')).GET;
  handlers.params = (await import('@/app/api/suggest/params/route')).GET;
  handlers.values = (await import('@/app/api/suggest/values/route')).GET;
  handlers.places = (await import('@/app/api/places/route')).GET;
  handlers.ready = (await import('@/app/readyz/route')).GET;
  for (const [i, text] of ['side location conflict at 1', 'HTTP 503 from the tile server', 'no claim'].entries()) {
    const { status } = await send(handlers.capture, {
      body: {
        work_key: `unit-${i}`,
        task_name: 'reproject_parcels',
        error_class: 'fatal',
        error_type: 'Error',
        error_text: text,
        src_crs: 'EPSG:4326',
        geom_wkt: `POINT(${i === 0 ? '-82.99 39.96' : `${i} 45`})`,
        params: { zoom: i, mode: 'fast' },
        source_uris: [`s3://bucket/${i}.tif`],
      },
    });
    expect(status).toBe(200);
  }
  const { getDb } = await import('@/db/client');
  const { diagnoseBatch } = await import('@/lib/diagnose/diagnose-batch');
  await diagnoseBatch(getDb());
});
afterAll(async () => {
  await closePool();
  await database?.drop();
});

async function keys(query: string): Promise<string[]> {
  const { status, json } = await send(handlers.list, { path: `/api/dead-letters?${query}` });
  expect(status, query).toBe(200);
  return (json as { items: { work_key: string }[] }).items.map(({ work_key }) => work_key).sort();
}

test('the list is searched by words, params, sources, areas and places in its address', async () => {
  expect(await keys('q=LOCATION+%22conflict+at%22')).toEqual(['unit-0']);
  expect(await keys('params=zoom%3E0&params=mode%3Dfast')).toEqual(['unit-1', 'unit-2']);
  expect(await keys('params=zoom+in+[0,2]')).toEqual(['unit-0', 'unit-2']);
  expect(await keys('source_uri=s3://bucket/*&source_uri=!s3://bucket/1.tif')).toEqual(['unit-0', 'unit-2']);
  expect(await keys('polygon=-84,39+-82,39+-82,41')).toEqual(['unit-0']);
  expect(await keys('place=US-OH')).toEqual(['unit-0']);
  expect(await keys('place=US&q=503')).toEqual([]);
});

test('an operation freezes what the same search finds', async () => {
  const { status, json } = await send(handlers.preview, {
    path: '/api/operations/preview',
    headers: { origin: 'http://localhost:3000' },
    body: {
      action: 'abandon',
      filter: { q: 'conflict', params: [{ path: 'zoom', op: '<', value: 1 }], place: ['US'] },
    },
  });
  expect([status, (json as { matched: number }).matched]).toEqual([200, 1]);
});

test('what cannot be searched by is named, with what would do, before anything is sent', async () => {
  const bad = async (handler: RouteHandler, path: string, params = {}) => {
    const { status, json } = await send(handler, { path, params });
    expect(status).toBe(400);
    return (json as { error: { message: string } }).error.message;
  };
  expect(await bad(handlers.list, '/api/dead-letters?place=US-OX')).toMatch(
    /no country or region has the code “US-OX”; near it: US /,
  );
  expect(await bad(handlers.export, '/api/export/csv?place=ZX', { format: 'csv' })).toMatch(/“ZX”; near it: Z/);
  expect(await bad(handlers.list, '/api/dead-letters?params=zoom')).toMatch(/params takes a path/);
  expect(await bad(handlers.values, '/api/suggest/values?field=work_key')).toMatch(/field takes task_name, src_crs/);
});

test('paths, values and places are suggested', async () => {
  const paths = await send(handlers.params, { path: '/api/suggest/params?prefix=z' });
  expect(paramSuggestionsSchema.parse(paths.json).paths).toEqual([{ path: 'zoom', types: ['number'], count: 3 }]);
  const values = await send(handlers.params, { path: '/api/suggest/params?path=zoom&q=503' });
  expect(paramSuggestionsSchema.parse(values.json).values).toHaveLength(3);
  const tasks = await send(handlers.values, { path: '/api/suggest/values?field=task_name&prefix=REP' });
  expect(valueSuggestionsSchema.parse(tasks.json)).toEqual({ values: ['reproject_parcels'], capped: false });
  const places = await send(handlers.places, { path: '/api/places?prefix=sao' });
  expect(placesSchema.parse(places.json).items[0]).toMatchObject({ name: expect.stringMatching(/^São /) });
  const ohio = await send(handlers.places, { path: '/api/places?prefix=Ohio' });
  expect(ohio.json).toEqual({
    items: [{ code: 'US-OH', name: 'Ohio', kind: 'region', country: 'United States of America' }],
  });
});

test('a database without the trigram index finds the same, and says that it reads every error', async () => {
  const notes = async () => ((await send(handlers.ready, { path: '/readyz' })).json as { notes: string[] }).notes;
  expect(await notes()).toEqual([]);
  await database.pool.query('drop index dlq.entry_text');
  expect(await keys('q=conflict')).toEqual(['unit-0']);
  expect(await notes()).toEqual([expect.stringMatching(/^q reads every error: .*select dlq\.index_text\(\)/)]);
});
