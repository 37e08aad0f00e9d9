import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import type { RouteHandler } from '@/lib/http/route';
import { captureOne } from '@/lib/ingest/capture-one';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
let blobs: BlobFolder;
let geometry: RouteHandler;
const BOWTIE =
  '0103000000010000000500000000000000000000000000000000000000000000000000004000000000000000400000000000000040000000000000000000000000000000000000000000000040' +
  '00000000000000000000000000000000';

beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  geometry = (await import('@/app/api/dead-letters/[id]/geometry/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database?.drop();
  blobs.remove();
});

async function capture(work_key: string, geom_wkb: string | null): Promise<string> {
  const text = JSON.stringify({ work_key, task_name: 'clip', ...(geom_wkb ? { geom_wkb } : {}) });
  return (await captureOne({ db: database.db }, { text, via: 'http' })).id;
}
async function take(id: string, format: string | null): Promise<Response> {
  const search = format === null ? '' : `?format=${format}`;
  return geometry(
    new Request(`http://localhost/api/dead-letters/${id}/geometry${search}`, { headers: { host: 'localhost' } }),
    {
      params: Promise.resolve({ id }),
    },
  );
}

describe('an entry’s geometry, taken away', () => {
  test('is the bytes as they came, as a file', async () => {
    const response = await take(await capture('bowtie', BOWTIE), null);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="dead-letter-\d+\.wkb"$/);
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe(BOWTIE);
  });

  test('is WKT and GeoJSON of the same vertices, not repaired', async () => {
    const id = await capture('bowtie', BOWTIE);
    expect(await (await take(id, 'wkt')).text()).toBe('POLYGON((0 0,2 2,2 0,0 2,0 0))');
    expect(await (await take(id, 'geojson')).json()).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ],
      ],
    });
  });

  test.each([
    ['truncated bytes as text', 'truncated', BOWTIE.slice(0, 60), 'wkt', 422],
    ['no geometry at all', 'raster', null, 'wkb', 422],
    ['a format that there is not', 'bowtie', BOWTIE, 'shp', 400],
  ])('%s is refused with the reason', async (_, work_key, hex, format, status) => {
    const response = await take(await capture(work_key, hex), format);
    expect(response.status).toBe(status);
    expect((await response.json()).error.message).toBeTruthy();
  });

  test('truncated bytes can still be taken as they are', async () => {
    const response = await take(await capture('truncated', BOWTIE.slice(0, 60)), 'wkb');
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe(BOWTIE.slice(0, 60));
  });

  test('of an entry that there is not is not found', async () => {
    expect((await take('999999', null)).status).toBe(404);
  });

  test('of over a megabyte is the same, taken from the blob store', async () => {
    const text = `LINESTRING(${'1 2,'.repeat(300_000)}3 4)`;
    const wkt = JSON.stringify({ work_key: 'large', task_name: 'clip', geom_wkt: text });
    const { id } = await captureOne({ db: database.db }, { text: wkt, via: 'http' });
    const { rows } = await database.pool.query<{ moved: boolean }>(
      'select payload_ref is not null and geom_given is null as moved from dlq.payload where entry_id = $1',
      [id],
    );
    expect(rows).toEqual([{ moved: true }]);
    expect(await (await take(id, 'wkt')).text()).toBe(text);
    const geojson = JSON.parse(await (await take(id, 'geojson')).text()) as { coordinates: unknown[] };
    expect(geojson.coordinates).toHaveLength(300_001);
    expect((await (await take(id, 'wkb')).arrayBuffer()).byteLength).toBe(9 + 300_001 * 16);
  });
});
