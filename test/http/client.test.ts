import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { type CapturePayload, capture, deadLetterOnFailure, withRun } from '@/lib/capture';
import { runDetailSchema } from '@/lib/contract/run';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { serveRoutes } from '@/test/support/serve-routes';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  server = await serveRoutes([
    { method: 'POST', path: '/api/dead-letters', handler: (await import('@/app/api/dead-letters/route')).POST },
    { method: 'POST', path: '/api/runs', handler: (await import('@/app/api/runs/route')).POST },
    { method: 'GET', path: '/api/runs/[run_id]', handler: (await import('@/app/api/runs/[run_id]/route')).GET },
  ]);
});
afterAll(async () => {
  await server.close();
  await closePool();
  await database.drop();
});

const options = () => ({ url: server.url, code_version: '1', task_name: 'clip', timeout_ms: 20_000, warn: () => {} });

describe('the client against the server itself', () => {
  test('stores the bytes that were given, and is refused for no params, error or key whatever', async () => {
    let n = 0;
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), anything, anything, async (bytes, params, thrown) => {
        n += 1;
        const payload = { work_key: `bytes/${n}`, geometry: bytes, params };
        expect(await capture(thrown, payload, options())).toMatchObject({ kept: 'server', outcome: 'created' });
        const { rows } = await database.pool.query<{ geom_wkb: Buffer }>(
          'select p.geom_wkb from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = $1',
          [payload.work_key],
        );
        expect(rows).toHaveLength(1);
        expect(Buffer.from(rows[0]?.geom_wkb ?? []).equals(bytes)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('gives two payloads that differ in the order of their keys one hash', async () => {
    const plain = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(0.25), fc.constant(null));
    const nested = fc.dictionary(fc.string(), plain);
    const all = fc.dictionary(fc.string(), fc.oneof(plain, nested, fc.array(plain)), { minKeys: 2, maxKeys: 6 });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(all, async (params) => {
        n += 1;
        const turned = Object.fromEntries(Object.entries(params).reverse());
        for (const one of [params, turned]) {
          const answer = await capture(new Error('x'), { work_key: `order/${n}`, params: one }, options());
          expect(answer.kept).toBe('server');
        }
        const { rows } = await database.pool.query(
          'select 1 from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = $1',
          [`order/${n}`],
        );
        expect(rows).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });

  test('leaves a run in the ledger whose numbers add up, with the tiles that never came', async () => {
    const clip = deadLetterOnFailure({
      ...options(),
      payload: (tile: string): CapturePayload => {
        const [z, x, y] = tile.split('/').map(Number);
        return { work_key: `clip/${tile}`, tile_z: z, tile_x: x, tile_y: y };
      },
    })(async (tile: string) => {
      if (tile === '2/1/1') throw new Error('Self-intersection at 1 2');
    });
    const tiles = ['2/0/0', '2/1/1', '2/2/2', '2/3/3'];
    await withRun({ ...options(), run_id: 'nightly/1', tiles }, async (run) => {
      for (const tile of tiles.slice(0, 3)) {
        await clip(tile).then(
          () => run.succeeded(tile),
          () => {},
        );
      }
    });
    const answer = await fetch(`${server.url}/api/runs/${encodeURIComponent('nightly/1')}`);
    expect(runDetailSchema.parse(await answer.json())).toMatchObject({
      status: 'finished',
      expected: 4,
      tiles: 4,
      succeeded: 2,
      dead_lettered: 1,
      dead_letters: 1,
      missing: 1,
      holes: { total: 1, tiles: ['2/3/3'] },
    });
  });
});
