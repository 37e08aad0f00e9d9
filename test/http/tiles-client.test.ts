import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { toWorld } from '@/lib/crs/web-mercator';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { serveRoutes } from '@/test/support/serve-routes';

const run = promisify(execFile);
let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;
const folder = mkdtempSync(path.join(tmpdir(), 'dlo-tiles-'));

/** Three places far apart, a hundred entries each within some metres. */
const PLACES: [number, number][] = [
  [-83, 40],
  [12, 52],
  [139.7, -35.6],
];

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  await insertRows(
    database.pool,
    PLACES.flatMap(([lon, lat], place) =>
      Array.from({ length: 100 }, (_, i) => ({
        ...blankRow(1 + place * 100 + i),
        failure_class: i % 4 ? 'crs_mismatch' : 'oom',
        reopen_count: i % 10 ? 0 : 1,
        at: [lon + i * 1e-5, lat] as [number, number],
      })),
    ),
  );
  server = await serveRoutes([
    { method: 'GET', path: '/api/tiles/[z]/[x]/[y]', handler: (await import('@/app/api/tiles/[z]/[x]/[y]/route')).GET },
    { method: 'GET', path: '/api/tiles.json', handler: (await import('@/app/api/tiles.json/route')).GET },
  ]);
});
afterAll(async () => {
  await server?.close();
  await closePool();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Feature = { id?: number; properties: Record<string, unknown>; geometry: { coordinates: [number, number] } };

/** The tiles over the places, fetched by the address of the TileJSON and read by GDAL into degrees. */
async function readByGdal(search: string, z: number, layer: string): Promise<Feature[]> {
  const answer = await fetch(`${server.url}/api/tiles.json${search}`);
  const description = await answer.json();
  const [address] = description.tiles as [string];
  const set = mkdtempSync(path.join(folder, 'set-'));
  for (const place of PLACES) {
    const [x, y] = toWorld(place).map((share) => Math.floor(share * 2 ** z));
    const url = address.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
    const tile = await fetch(url);
    expect(tile.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
    mkdirSync(path.join(set, `${z}/${x}`), { recursive: true });
    writeFileSync(path.join(set, `${z}/${x}/${y}.pbf`), new Uint8Array(await tile.arrayBuffer()));
  }
  writeFileSync(path.join(set, 'metadata.json'), JSON.stringify(description));
  const args = ['-f', 'GeoJSON', '/vsistdout/', `MVT:${set}/${z}`, layer, '-t_srs', 'EPSG:4326', '-lco', 'RFC7946=NO'];
  const { stdout } = await run('ogr2ogr', args, { maxBuffer: 1e8 });
  return JSON.parse(stdout).features;
}

const sum = (features: Feature[], name: string) =>
  features.reduce((total, { properties }) => total + Number(properties[name] ?? 0), 0);

describe('GDAL, told of the tiles by their TileJSON,', () => {
  test('counts in the cells what the database counts', async () => {
    const features = await readByGdal('', 5, 'cells');
    const { rows } = await database.pool.query(
      `select count(*)::integer as total, (count(*) filter (where c.failure_class = 'oom'))::integer as oom,
          (count(*) filter (where reopen_count > 0))::integer as reopened
        from dlq.state s join dlq.combo c on c.id = s.combo where cell is not null and state <> 'resolved'`,
    );
    expect({
      total: sum(features, 'total'),
      oom: sum(features, 'oom'),
      reopened: sum(features, 'reopened'),
    }).toEqual(rows[0]);
    expect(sum(features, 'crs_mismatch')).toBe(225);
    // types come from the TileJSON
    expect(typeof features[0]?.properties.total).toBe('number');
  });

  test('finds the points of a filter where they lie', async () => {
    const features = await readByGdal('?failure_class=oom', 14, 'points');
    expect(features).toHaveLength(75);
    expect(new Set(features.map(({ properties }) => properties.failure_class))).toEqual(new Set(['oom']));
    for (const { geometry } of features) {
      const [lon, lat] = geometry.coordinates;
      const near = PLACES.some((place) => Math.abs(place[0] - lon) < 0.0012 && Math.abs(place[1] - lat) < 1e-4);
      expect(near, `${lon} ${lat}`).toBe(true);
    }
  });
});
