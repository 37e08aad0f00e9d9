import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { attach } from '@/lib/attach/attach';
import { findTable } from '@/lib/attach/find-table';
import { proposeMapping } from '@/lib/attach/mapping';
import { capture } from '@/lib/capture';
import { entrySchema } from '@/lib/contract/entry';
import { listSchema, triageSchema } from '@/lib/contract/triage';
import type { RouteHandler } from '@/lib/http/route';
import { storeBy } from '@/test/db/seed-clients/store';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';
import { captureByPython } from '@/test/support/python/run-python';
import { serveRoutes } from '@/test/support/serve-routes';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;
const handlers: Record<'capture' | 'list' | 'triage' | 'entry', RouteHandler> = Object.create(null);

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  ({ POST: handlers.capture, GET: handlers.list } = await import('@/app/api/dead-letters/route'));
  handlers.triage = (await import('@/app/api/triage/route')).GET;
  handlers.entry = (await import('@/app/api/dead-letters/[id]/route')).GET;
  server = await serveRoutes([{ method: 'POST', path: '/api/dead-letters', handler: handlers.capture }]);
});
afterAll(async () => {
  await server?.close();
  await closePool();
  await database?.drop();
});

const error_text = 'TopologyException: side location conflict';
const bowtie = 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))';

test('every door writes into one queue, and the app shows all of it, with its door, task and class', async () => {
  // the TypeScript client
  const options = {
    url: server.url,
    queue: 'night',
    task_name: 'clip',
    code_version: '1',
    timeout_ms: 30_000,
    warn: () => {},
  };
  const typescript = await capture(
    new Error(error_text),
    { work_key: 'typescript', geometry: bowtie, src_crs: 'EPSG:4326' },
    options,
  );
  expect(typescript).toMatchObject({ kept: 'server', outcome: 'created' });
  // the Python client
  const [python] = await captureByPython([
    {
      options: { url: server.url, queue: 'night', task_name: 'clip', code_version: '1', timeout_s: 30 },
      payload: { work_key: 'python', geometry_wkt_shapely: bowtie, src_crs: 'EPSG:4326' },
      error: { name: 'MemoryError', message: 'Unable to allocate 3 GiB' },
    },
  ]);
  expect(python).toMatchObject({ kept: 'server', outcome: 'created' });
  // the documents' own statements
  const sql = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-cdlq.queue%3Dnight`;
  const first = {
    work_key: 'first document',
    task_name: 'reproject',
    wkt: bowtie,
    srid: 4326,
    src_crs: 'EPSG:4326',
    failure_class: 'crs_mismatch',
  };
  expect(await storeBy(sql, 'geotask_dlq', [first, first])).toEqual({ stored: 2, errors: [] });
  expect(
    await storeBy(sql, 'failed_geotasks', [{ task_id: 'second document', wkt: bowtie, error: error_text }]),
  ).toEqual({ stored: 1, errors: [] });
  // plain HTTP, one and many
  const plain = { task_name: 'clip', queue: 'night', error_text, src_crs: 'EPSG:4326', geom_wkt: bowtie };
  expect((await send(handlers.capture, { body: { ...plain, work_key: 'http' } })).status).toBe(200);
  expect(
    await sendLines(
      handlers.capture,
      ['a', 'b'].map((key) => JSON.stringify({ ...plain, work_key: `ndjson ${key}` })),
    ),
  ).toHaveLength(2);
  // a team's own table
  await database.pool.query(
    'create table public.team_failures (work_key text primary key, task_name text, geometry geometry(polygon, 4326), error text)',
  );
  const { attachment } = proposeMapping(await findTable(database.db, 'team_failures'), {
    map: new Map(),
    queue: 'night',
  });
  await attach(database.db, attachment);
  await database.pool.query('insert into team_failures values ($1, $2, ST_GeomFromText($3, 4326), $4)', [
    'attached',
    'union',
    bowtie,
    'connection timed out',
  ]);
  // and what is none of this queue
  await send(handlers.capture, { body: { ...plain, queue: 'day', work_key: 'elsewhere' } });

  const listed = listSchema.parse((await send(handlers.list, { path: '/api/dead-letters?queue=night&limit=50' })).json);
  const shown = await Promise.all(
    listed.items.map(async ({ id }) => {
      const { json } = await send(handlers.entry, { path: `/api/dead-letters/${id}`, params: { id } });
      const { idempotency_key, via, task_name, failure_class, attempts, state, payload } = entrySchema.parse(json);
      const key = idempotency_key.replace(/:[0-9a-f]{64}$/, '');
      return [key, `${via}, ${task_name}: ${failure_class}, ${state}, ${attempts}, ${payload.src_crs}`];
    }),
  );
  expect(Object.fromEntries(shown)).toEqual({
    typescript: 'http, clip: invalid_geometry, open, 1, EPSG:4326',
    python: 'http, clip: oom, open, 1, EPSG:4326',
    'first document': 'geotask_dlq, reproject: crs_mismatch, open, 2, EPSG:4326',
    'second document': 'failed_geotasks, failed_geotasks: invalid_geometry, open, 1, EPSG:4326',
    http: 'http, clip: invalid_geometry, open, 1, EPSG:4326',
    'ndjson a': 'http, clip: invalid_geometry, open, 1, EPSG:4326',
    'ndjson b': 'http, clip: invalid_geometry, open, 1, EPSG:4326',
    attached: 'public.team_failures, union: upstream_timeout, open, 1, null',
  });

  const triage = triageSchema.parse((await send(handlers.triage, { path: '/api/triage?queue=night' })).json);
  expect(triage).toMatchObject({ total: 8, depth: 9 });
  const counts = (facet: 'failure_class' | 'task_name') =>
    Object.fromEntries(triage.facets[facet]?.values.map(({ value, count }) => [value, count]) ?? []);
  expect(counts('failure_class')).toEqual({ invalid_geometry: 5, oom: 1, crs_mismatch: 1, upstream_timeout: 1 });
  expect(counts('task_name')).toEqual({ clip: 5, reproject: 1, failed_geotasks: 1, union: 1 });
});
