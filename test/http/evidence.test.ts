import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { fetchGeometryBytes, fetchReprojectedBytes } from '@/lib/api/evidence';
import { evidenceSchema, ghostSchema } from '@/lib/contract/entry';
import { errorSchema } from '@/lib/contract/error';
import { faultFacetSchema } from '@/lib/contract/triage';
import { getGeometry, getReprojected } from '@/lib/triage/get-geometry';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { serveRoutes } from '@/test/support/serve-routes';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  const at = '/api/dead-letters/[id]';
  server = await serveRoutes([
    {
      method: 'GET',
      path: `${at}/evidence`,
      handler: (await import('@/app/api/dead-letters/[id]/evidence/route')).GET,
    },
    {
      method: 'GET',
      path: `${at}/geometry`,
      handler: (await import('@/app/api/dead-letters/[id]/geometry/route')).GET,
    },
    {
      method: 'GET',
      path: `${at}/reprojected`,
      handler: (await import('@/app/api/dead-letters/[id]/reprojected/route')).GET,
    },
    { method: 'GET', path: `${at}/ghost`, handler: (await import('@/app/api/dead-letters/[id]/ghost/route')).GET },
    { method: 'GET', path: '/api/triage/faults', handler: (await import('@/app/api/triage/faults/route')).GET },
  ]);
});
afterAll(async () => {
  await server?.close();
  await closePool();
  await database?.drop();
});

/** A ring of so many vertices, captured and diagnosed. */
async function ringOf(work_key: string, vertices: number, sensitive = false): Promise<{ id: string; hex: string }> {
  const { rows } = await database.pool.query<{ id: string; hex: string }>(
    `with shape as (select ST_MakePolygon(ST_AddPoint(l, ST_StartPoint(l))) as g from (
        select ST_MakeLine(array(select ST_MakePoint(10 + cos(i * 2 * pi() / $2), 50 + sin(i * 2 * pi() / $2))
          from generate_series(0, $2::integer - 1) i)) as l) x)
     select (dlq.capture(jsonb_build_object('work_key', $1::text, 'task_name', 'clip', 'failure_class', 'unknown', 'src_crs', 'EPSG:4326',
       'sensitive', $3::boolean), ST_AsBinary(g))).entry_id::text as id, encode(ST_AsBinary(g), 'hex') as hex from shape`,
    [work_key, vertices, sensitive],
  );
  const [{ id = '', hex = '' } = {}] = rows;
  await database.pool.query(
    `update dlq.diagnosis d set payload_hash = e.payload_hash, diagnosed_at = clock_timestamp(), footprint = ST_SetSRID(p.geom, 4326)
       from dlq.entry e join dlq.payload p on p.entry_id = e.id where d.entry_id = $1 and e.id = d.entry_id`,
    [id],
  );
  await database.pool.query(
    `update dlq.state set cell = dlq.cell_of(10, 50), public_cell = dlq.public_cell_of(dlq.cell_of(10, 50), $2) where entry_id = $1`,
    [id, sensitive],
  );
  return { id, hex };
}

const take = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
const evidenceOf = async (id: string) =>
  evidenceSchema.parse(await (await take(`/api/dead-letters/${id}/evidence`)).json());

describe('the evidence of a large geometry', () => {
  test('is short, and its bytes are those of the addresses it names', async () => {
    const { id, hex } = await ringOf('large', 40_000);
    const response = await take(`/api/dead-letters/${id}/evidence`);
    const text = await response.text();
    expect(text.length).toBeLessThan(5_000);
    const evidence = evidenceSchema.parse(JSON.parse(text));
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
      path.startsWith('/') ? real(`${server.url}${path}`, init) : real(path, init),
    );
    expect(Buffer.from((await fetchGeometryBytes(evidence)) ?? []).toString('hex')).toBe(hex);
    const reprojected = Buffer.from((await fetchReprojectedBytes(evidence)) ?? []).toString('hex');
    vi.unstubAllGlobals();
    const { rows } = await database.pool.query<{ same: boolean; srid: number }>(
      'select ST_AsBinary($1::geometry) = decode($2, $3) as same, ST_SRID($1::geometry) as srid',
      [reprojected, hex, 'hex'],
    );
    expect(rows[0]).toEqual({ same: true, srid: 4326 });
  });

  test('of a small one has both at once, without another request', async () => {
    const { id, hex } = await ringOf('small', 100);
    const evidence = await evidenceOf(id);
    expect(Buffer.from((await fetchGeometryBytes(evidence)) ?? []).toString('hex')).toBe(hex);
    expect((await fetchReprojectedBytes(evidence))?.length).toBe(hex.length / 2 + 4);
    expect(await fetchGeometryBytes({ geom_wkb: null, geom_bytes_at: null })).toBeNull();
  });

  test.each(['geometry?format=wkb', 'reprojected'])('%s is sent once, until it changes', async (what) => {
    const { id } = await ringOf(`tagged ${what}`, 100);
    const first = await take(`/api/dead-letters/${id}/${what}`);
    expect(first.headers.get('content-type')).toBe('application/octet-stream');
    const etag = first.headers.get('etag') ?? '';
    const again = await take(`/api/dead-letters/${id}/${what}`, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    await ringOf(`tagged ${what}`, 120);
    const changed = await take(`/api/dead-letters/${id}/${what}`, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect((await changed.arrayBuffer()).byteLength).toBeGreaterThan((await first.arrayBuffer()).byteLength);
  });

  test('has no reprojection where there is none: not found, not diagnosed, not for the asker', async () => {
    expect((await take('/api/dead-letters/999999/reprojected')).status).toBe(404);
    expect((await take('/api/dead-letters/x/reprojected')).status).toBe(404);
    await insertRows(database.pool, [blankRow(5000)]);
    const none = await take('/api/dead-letters/5000/reprojected');
    expect(none.status).toBe(422);
    expect(errorSchema.parse(await none.json()).error.message).toMatch(/not_diagnosed/);
    const { id } = await ringOf('secret', 100, true);
    const ask = { id, format: 'wkb', known: [] } as const;
    const viewer = { db: database.db, actor: { name: 'v', role: 'viewer' as const } };
    expect((await getReprojected({ ...viewer, actor: { name: 'o', role: 'operator' } }, ask)).content).not.toBeNull();
    await expect(getReprojected(viewer, ask)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(/sensitive$/),
    });
    await expect(getGeometry(viewer, ask)).rejects.toMatchObject({ code: 'unprocessable' });
    // not even whether a tag is the right one
    const { etag } = await getReprojected({ ...viewer, actor: { name: 'o', role: 'operator' } }, ask);
    await expect(getReprojected(viewer, { id, known: [etag] })).rejects.toMatchObject({ code: 'unprocessable' });
  });
});

describe('GET /api/dead-letters/{id}/ghost', () => {
  test('answers in the contract, and refuses what it cannot read, naming the parameter', async () => {
    const { id } = await ringOf('ghost', 50);
    const ghost = await take(`/api/dead-letters/${id}/ghost?crs=EPSG:4326&swapped=true&x_sign=-1&y_sign=1`);
    expect(ghostSchema.parse(await ghost.json())).toMatchObject({
      swapped: true,
      x_sign: -1,
      y_sign: 1,
      shown: 'whole',
    });
    for (const [query, named] of [
      ['', 'crs'],
      ['crs=', 'crs'],
      ['crs=EPSG:1', 'crs'],
      ['crs=EPSG:4326&swapped=yes', 'swapped'],
      ['crs=EPSG:4326&x_sign=0', 'x_sign'],
      ['crs=EPSG:4326&y_sign=__proto__', 'y_sign'],
      ['crs=%00', 'crs'],
    ]) {
      const refused = await take(`/api/dead-letters/${id}/ghost?${query}`);
      expect(refused.status, query).toBe(400);
      expect(errorSchema.parse(await refused.json()).error.details, query).toEqual({ parameter: named });
    }
    expect((await take('/api/dead-letters/999999/ghost?crs=EPSG:4326')).status).toBe(404);
  });
});

describe('GET /api/triage/faults', () => {
  test('counts the faults of what matches, by the same filter', async () => {
    await insertRows(database.pool, [
      { ...blankRow(6000), task_name: 'counted', faults: ['spike', 'curve'] },
      { ...blankRow(6001), task_name: 'counted', faults: ['spike'] },
    ]);
    const facet = faultFacetSchema.parse(await (await take('/api/triage/faults?task_name=counted&fault=curve')).json());
    expect(facet).toEqual({
      values: [
        { value: 'spike', count: 2 },
        { value: 'curve', count: 1 },
      ],
      distinct: 2,
      capped: false,
    });
    expect((await take('/api/triage/faults?colour=red')).status).toBe(400);
  });
});
