import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { displacementSchema } from '@/lib/contract/displacement';
import { errorSchema } from '@/lib/contract/error';
import { similarSchema } from '@/lib/contract/similar';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
const handlers: Record<'capture' | 'displacement' | 'similar', RouteHandler> = Object.create(null);

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  handlers.capture = (await import('@/app/api/dead-letters/route')).POST;
  handlers.displacement = (await import('@/app/api/displacement/route')).GET;
  handlers.similar = (await import('@/app/api/dead-letters/[id]/similar/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database?.drop();
});

test('what a pipeline captured with swapped axes is diagnosed, mirrored, and like the others of its kind', async () => {
  for (let i = 0; i < 6; i += 1) {
    const [lon, lat] = [-83 + i * 0.21, 40 + i * 0.13];
    const n = 2 ** 14;
    const { status } = await send(handlers.capture, {
      body: {
        work_key: `swapped-${i}`,
        task_name: 'reproject_parcels',
        failure_class: 'crs_mismatch',
        error_class: 'fatal',
        error_type: 'Error',
        error_text: 'outside the tile',
        src_crs: 'EPSG:4326',
        geom_wkt: `POINT(${lat} ${lon})`,
        tile_z: 14,
        tile_x: Math.floor(((lon + 180) / 360) * n),
        tile_y: Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * n),
      },
    });
    expect(status).toBe(200);
  }
  const { getDb } = await import('@/db/client');
  await diagnoseBatch(getDb());
  const { status, json } = await send(handlers.displacement, { path: '/api/displacement?failure_class=crs_mismatch' });
  expect(status).toBe(200);
  const { groups, total } = displacementSchema.parse(json);
  expect(total).toBe(6);
  expect(groups).toMatchObject([{ count: 6, kind: 'swapped', sentence: 'mirrored: axis swap' }]);

  const answer = await send(handlers.similar, { path: '/api/dead-letters/1/similar', params: { id: '1' } });
  expect(answer.status).toBe(200);
  expect(similarSchema.parse(answer.json).items[0]).toMatchObject({ kind: 'signature', count: 6 });
});

test('what cannot be read is refused in words', async () => {
  const bad = await send(handlers.displacement, { path: '/api/displacement?colour=red' });
  expect(bad.status).toBe(400);
  expect(errorSchema.parse(bad.json).error.message).toContain('colour');
  const gone = await send(handlers.similar, { path: '/api/dead-letters/77777/similar', params: { id: '77777' } });
  expect(gone.status).toBe(404);
  expect(errorSchema.parse(gone.json).error.message).toBe('there is no entry 77777');
});
