import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { DirectoryStore } from '@/lib/blobs/directory-store';
import { type CapturePayload, capture } from '@/lib/capture';
import { classify } from '@/lib/capture/classify';
import { readSpoolLine } from '@/lib/capture/spool-line';
import { openSource } from '@/lib/spool/open-source';
import { makeSpoolWorld } from '@/test/db/spool/spool-world';
import { CLASSIFY_SAMPLES, errorOf, UNKNOWN_SAMPLES } from '@/test/fixtures/classify-samples';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { captureByPython, pythonOutcomes, pythonTests } from '@/test/support/python/run-python';
import { startS3Stub } from '@/test/support/s3-stub';
import { serveRoutes } from '@/test/support/serve-routes';
import { sha256Of } from '@/test/support/sha256-of';

describe('the Python client, by its tests in Python:', () => {
  let outcomes: Record<string, string>;
  beforeAll(async () => {
    outcomes = await pythonOutcomes();
  }, 300_000);

  for (const name of pythonTests()) {
    test(name, ({ skip }) => {
      const outcome = outcomes[name];
      if (outcome?.startsWith('skipped')) skip(outcome);
      expect(outcome).toBe('passed');
    });
  }
});

let database: TestDatabase;
let blobs: BlobFolder;
let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  const { POST } = await import('@/app/api/dead-letters/route');
  const { PUT } = await import('@/app/api/blobs/[sha256]/route');
  const runs = await import('@/app/api/runs/route');
  server = await serveRoutes([
    { method: 'POST', path: '/api/dead-letters', handler: POST },
    { method: 'PUT', path: '/api/blobs/[sha256]', handler: PUT },
    { method: 'POST', path: '/api/runs', handler: runs.POST },
  ]);
});
afterAll(async () => {
  await server.close();
  await closePool();
  await database.drop();
  blobs.remove();
});

const POINT = '0101000000000000000000f03f0000000000000040';
const LARGE = `0102000000${'00'.repeat(1_000_000)}`;

async function stored(work_key: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select encode(e.payload_hash, 'hex') as payload_hash, e.attempts, e.task_name, e.via, e.failure_class, e.run_id, encode(p.geom_wkb, 'hex') as geom_wkb,
       p.geom_given, p.srid, p.src_crs, p.nodata, p.params::text as params, convert_from(p.params_raw, 'UTF8') as params_raw, p.payload_ref, p.geom_format
     from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash where e.work_key = $1::text`,
    [work_key],
  );
  if (!rows[0]) throw new Error(`${work_key} is not stored`);
  return rows[0];
}

describe('the Python client and the server', () => {
  const options = { code_version: '2.14.0', task_name: 'clip', timeout_s: 60 };

  test('say what became of a capture, whose geometry of shapely is stored byte for byte', async () => {
    const geometry_wkt_shapely = 'POLYGON Z ((0 0 1, 2 2 1, 2 0 1, 0 2 1, 0 0 1))';
    const given = { options, payload: { work_key: 'parcels/€', geometry_wkt_shapely, src_crs: 'EPSG:27700' } };
    const results = await captureByPython([given, given], { DLO_URL: server.url });
    expect(results).toMatchObject([
      { kept: 'server', work_key: 'parcels/€', attempts: 1, outcome: 'created' },
      { kept: 'server', work_key: 'parcels/€', attempts: 2, outcome: 'repeated' },
    ]);
    const row = await stored('parcels/€');
    expect(row).toMatchObject({ attempts: 2, task_name: 'clip', via: 'http', src_crs: 'EPSG:27700' });
    expect(row.geom_wkb).toMatch(/^0103000080/);
    expect(row.payload_ref).toBeNull();
  });

  /** The same unit of work as either language has it. */
  const payloads: [string, Omit<CapturePayload, 'work_key'> & Record<string, unknown>, Record<string, unknown>?][] = [
    ['bytes and params', { params: { snap: 0.01, n: 7, big: 1e300, text: 'a\0b€😀', list: [1, [true, null]] } }],
    ['NaN in params', { params: { nodata: Number.NaN, a: 1 } }, { params: { a: 1, nodata: null }, nan: true }],
    ['a claim of every kind', { src_crs: { type: 'GeographicCRS', id: { authority: 'EPSG', code: 4326 } } }],
    ['a claim that is a number', { src_crs: 27700, srid: 4326 }],
    [
      'a raster',
      { nodata: -9999, source_uris: ['s3://a/b.tif'], tile_z: 3, tile_x: 1, tile_y: 2, target_crs: 'EPSG:3857' },
    ],
    [
      'a window',
      { source_window: { col_off: 0, row_off: 256, width: 256.5, height: 256 }, tile_matrix_set: 'WebMercatorQuad' },
    ],
    ['WKT', { geometry: 'Point ( 1.50 2 )' }],
    ['hex', { geometry: POINT }],
    ['GeoJSON', { geometry: { type: 'Point', coordinates: [1.5, 2] } }],
    ['a large geometry', { geometry: Buffer.from(LARGE, 'hex') }, { geometry: undefined, geometry_hex: LARGE }],
    ['no geometry', {}],
    ['members that no field holds', { layer: 'roads', srid: 'four' } as never],
  ];

  test.each(payloads)(
    'the same failure has the same payload_hash by either client: %s',
    async (name, payload, inPython = {}) => {
      const by = async (client: string) => {
        const work_key = `${client} ${name}`;
        if (client === 'ts') {
          const given = { ...payload, work_key } as CapturePayload;
          await capture(new Error('x'), given, {
            url: server.url,
            code_version: '1',
            task_name: 'same',
            timeout_ms: 60_000,
            spool: false,
          });
        } else {
          const given = { options: { ...options, task_name: 'same' }, payload: { ...payload, ...inPython, work_key } };
          const [result] = await captureByPython([given], { DLO_URL: server.url });
          expect(result).toMatchObject({ kept: 'server' });
        }
        return stored(work_key);
      };
      const [ts, python] = [await by('ts'), await by('python')];
      expect(python).toEqual(ts);
      if (name === 'a large geometry') expect(python.payload_ref).toBe(`sha256:${sha256Of(Buffer.from(LARGE, 'hex'))}`);
    },
  );

  test('a failure without a key meets the same entry by either client', async () => {
    const payload = { geometry: 'POINT(7 8)', params: { a: 'ü', n: 0.5 } };
    const task_name = 'unkeyed';
    await capture(new Error('x'), payload as never, {
      url: server.url,
      code_version: '1',
      task_name,
      spool: false,
      timeout_ms: 60_000,
    });
    const [result] = await captureByPython([{ options: { ...options, task_name }, payload }], { DLO_URL: server.url });
    expect(result).toMatchObject({ kept: 'server', attempts: 2, outcome: 'repeated' });
  });

  test('keep the ledger of a run', async () => {
    const run = {
      run_id: 'nightly',
      task_name: 'clip',
      expected: 3,
      url: server.url,
      timeout_s: 60,
      code_version: '1',
    };
    const given = { run, payloads: [{ work_key: 'r/1' }, { work_key: 'r/2' }], succeeded: 1 };
    const counts = await captureByPython([given], { DLO_URL: server.url });
    expect(counts).toEqual([{ succeeded: 1, dead_lettered: 2 }]);
    const { rows } = await database.pool.query(
      'select run_id, task_name, status, expected::int, succeeded::int, dead_lettered::int from dlq.run',
    );
    expect(rows).toEqual([
      { run_id: 'nightly', task_name: 'clip', status: 'finished', expected: 3, succeeded: 1, dead_lettered: 2 },
    ]);
    expect(await stored('r/1')).toMatchObject({ run_id: 'nightly' });
  });

  test('classify an error alike, in the words of the libraries', async () => {
    // what only JavaScript's errors have: signals, exit codes by that name, undici's codes
    const common = [...CLASSIFY_SAMPLES, ...UNKNOWN_SAMPLES].filter(
      (sample) =>
        Object.keys(sample).every((key) => ['failure_class', 'name', 'message', 'code'].includes(key)) &&
        !/^(ERR_|UND_)|^137$/.test(String(sample.code)),
    );
    const python = await captureByPython(common.map(({ failure_class: _, ...error }) => ({ classify: error })));
    expect(common.length).toBeGreaterThan(120);
    expect(common.map((sample, i) => [sample.name, sample.message, python[i]])).toEqual(
      common.map((sample) => [sample.name, sample.message, classify(errorOf(sample))]),
    );
  });
});

describe('a spool that the Python client wrote', () => {
  const failures = Array.from({ length: 12 }, (_, i) => ({
    options: { task_name: 'spooled', code_version: '1', timeout_s: 60 },
    payload: { work_key: `spooled/${i}`, geometry_hex: i === 7 ? LARGE : POINT, params: { text: `line\n${i} €` } },
  }));

  test('in a directory is read line by line, loaded once, and its payloads with it', async () => {
    const world = makeSpoolWorld(database);
    const results = await captureByPython(failures, { DLO_SPOOL_DIR: world.folder });
    expect(new Set(results.map(({ kept }) => kept))).toEqual(new Set(['spool']));
    const [name = ''] = world.names().filter((one) => one !== 'blobs');
    const lines = readFileSync(path.join(world.folder, name), 'utf8').split('\n').filter(Boolean);
    expect(lines.map((line) => readSpoolLine(Buffer.from(line)))).toEqual(
      results.map(({ line }) => ({ capture: line, sha256: sha256Of(String(line)) })),
    );
    const folder = mkdtempSync(path.join(tmpdir(), 'dlo-python-blobs-'));
    const store = new DirectoryStore(folder);
    expect(await world.load({ blobs: store })).toBe(1);
    expect(await world.file(name)).toMatchObject({ state: 'loaded', lines: 12, stored: 12, rejected: 0 });
    expect(await stored('spooled/3')).toMatchObject({
      via: 'spool',
      geom_wkb: POINT,
      params: '{"text": "line\\n3 €"}',
    });
    expect(await stored('spooled/7')).toMatchObject({ payload_ref: `sha256:${sha256Of(Buffer.from(LARGE, 'hex'))}` });
    expect(await store.has(sha256Of(Buffer.from(LARGE, 'hex')))).toBe(true);
    world.remove();
    rmSync(folder, { recursive: true });
  });

  test('in a bucket is signed as S3 demands, tried again while it is slow, and can be read back', async () => {
    const stub = await startS3Stub({ bucket: 'spool', session_token: 'a-token', faults: [503, 'reset'] });
    const where = `${stub.url}/of the pipeline/`;
    const results = await captureByPython(failures, { ...stub.environment, DLO_SPOOL_DIR: where });
    expect(new Set(results.map(({ kept }) => kept))).toEqual(new Set(['spool']));
    const source = openSource(where, stub.environment);
    const texts: string[] = [];
    for (const { name } of await source.list()) {
      for await (const piece of source.read(name, 0)) texts.push(Buffer.from(piece).toString('utf8'));
    }
    const lines = texts.join('').split('\n').filter(Boolean);
    expect(lines.map((line) => readSpoolLine(Buffer.from(line)))).toEqual(
      results.map(({ line }) => ({ capture: line, sha256: sha256Of(String(line)) })),
    );
    expect(await source.readBlob(sha256Of(Buffer.from(LARGE, 'hex')))).not.toBeNull();
    await stub.stop();
  });

  test('in a bucket that refuses is no spool, and says so', async () => {
    const stub = await startS3Stub({ bucket: 'spool' });
    const environment = { ...stub.environment, AWS_SECRET_ACCESS_KEY: 'another', DLO_SPOOL_DIR: stub.url };
    const [result] = await captureByPython(failures.slice(0, 1), environment);
    expect(result).toMatchObject({ kept: 'nowhere', reason: expect.stringContaining('SignatureDoesNotMatch') });
    await stub.stop();
  });
});
