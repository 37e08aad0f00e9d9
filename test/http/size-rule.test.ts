import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import type { RouteHandler } from '@/lib/http/route';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';
import { startS3Stub } from '@/test/support/s3-stub';
import { sha256Of } from '@/test/support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let POST: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  ({ POST } = await import('@/app/api/dead-letters/route'));
});
afterAll(async () => {
  await closePool();
  await database.drop();
  blobs.remove();
});

const SHOWN = `geom_wkb, geom is not null as has_geom, geom_given, geom_format, geom_error, srid, params::text as params, payload_ref,
  source_uris, source_window::text as source_window, nodata`;

async function stored(work_key: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select ${SHOWN} from dlq.payload p join dlq.entry e on e.id = p.entry_id and e.payload_hash = p.payload_hash where e.work_key = $1`,
    [work_key],
  );
  if (!rows[0]) throw new Error(`${work_key} is not stored`);
  return rows[0];
}

const blobOf = (payload_ref: unknown) => readFileSync(blobs.pathOf(String(payload_ref).slice('sha256:'.length)));
const capture = (work_key: string, members: Record<string, unknown>) =>
  send(POST, { body: { work_key, task_name: 't', ...members } });

/** A line of at least `bytes` bytes as EWKB of the SRID. */
function lineOf(bytes: number, srid: number): Buffer {
  const vertices = Math.ceil((bytes - 13) / 16);
  const wkb = Buffer.alloc(13 + vertices * 16);
  wkb[0] = 1;
  wkb.writeUInt32LE(0x20000002, 1);
  wkb.writeUInt32LE(srid, 5);
  wkb.writeUInt32LE(vertices, 9);
  return wkb;
}

describe('the size rule', () => {
  test('leaves what was given in one place, byte for byte: inline up to the limit, in the blob store over it', async () => {
    let n = 0;
    const size = fc.integer({ min: SIZE_RULE_BYTES - 2, max: SIZE_RULE_BYTES + 2 });
    await fc.assert(
      fc.asyncProperty(size, fc.boolean(), async (bytes, as_line) => {
        const given = randomBytes(bytes);
        const members = { geom_wkb: given.toString('base64') };
        const work_key = `size-${n++}`;
        if (as_line) await sendLines(POST, [JSON.stringify({ work_key, task_name: 't', ...members })]);
        else expect((await capture(work_key, members)).status).toBe(200);
        const { geom_wkb, payload_ref, geom_format } = await stored(work_key);
        expect(geom_format).toBe('wkb');
        expect([geom_wkb === null, payload_ref !== null]).toEqual(
          bytes > SIZE_RULE_BYTES ? [true, true] : [false, false],
        );
        const kept = payload_ref === null ? (geom_wkb as Buffer) : blobOf(payload_ref);
        expect(Buffer.compare(kept, given)).toBe(0);
      }),
      { numRuns: 12 },
    );
  });

  test('keeps the text of WKT and GeoJSON, and says which it is', async () => {
    const wkt = `LINESTRING(${'1.50 2, '.repeat(130_000)}3 4)`;
    await capture('wkt', { geom_wkt: wkt });
    const from_wkt = await stored('wkt');
    expect(from_wkt).toMatchObject({ geom_wkb: null, geom_given: null, geom_format: 'wkt', has_geom: false });
    expect(blobOf(from_wkt.payload_ref).toString('utf8')).toBe(wkt);

    const geojson = `{ "type":"LineString","coordinates":[${'[1.50,2e0], '.repeat(90_000)}[3,4]]}`;
    await send(POST, { body: `{"work_key":"geojson","task_name":"t","geom_geojson":${geojson}}` });
    const from_geojson = await stored('geojson');
    expect(from_geojson).toMatchObject({ geom_wkb: null, geom_given: null, geom_format: 'geojson' });
    expect(blobOf(from_geojson.payload_ref).toString('utf8')).toBe(geojson);
  });

  test('keeps the SRID of the bytes, and every other member to the digit', async () => {
    const params = '{"id": 123456789012345678901234567890, "snap": 1.10}';
    const geom_wkb = lineOf(2_000_000, 27700).toString('hex');
    await send(POST, {
      body: `{"work_key":"digits","task_name":"t","geom_wkb":"${geom_wkb}","params":${params},"nodata":-3.40282346638528859812e+38}`,
    });
    expect(await stored('digits')).toMatchObject({ srid: 27700, params, nodata: '-3.40282346638528859812e+38' });
    await capture('told', { geom_wkb: lineOf(2_000_000, 27700).toString('hex'), srid: 4326 });
    expect((await stored('told')).srid).toBe(4326);
    await capture('none', { geom_wkb: lineOf(2_000_000, 4_000_000_000).toString('hex') });
    expect((await stored('none')).srid).toBeNull();
  });

  test('counts the same large geometry as one payload', async () => {
    const geom_wkb = lineOf(2_000_000, 4326).toString('hex');
    await capture('twice', { geom_wkb });
    expect((await capture('twice', { geom_wkb })).json).toMatchObject({ attempts: 2, outcome: 'repeated' });
    const { rows } = await database.pool.query(
      `select 1 from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = 'twice'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('takes an unreadable text of any size as it is', async () => {
    await capture('neither', { geom_wkb: '!'.repeat(1_500_000) });
    expect(await stored('neither')).toMatchObject({ geom_given: '!'.repeat(1_500_000), payload_ref: null });
  });
});

describe('a payload_ref', () => {
  const payload_ref = `sha256:${sha256Of('a geometry')}`;

  test('is stored with what its blob holds, also before the blob is there', async () => {
    await capture('ref', { payload_ref, geom_format: 'geojson' });
    expect(await stored('ref')).toMatchObject({ payload_ref, geom_format: 'geojson', geom_wkb: null });
    await capture('ref-wkb', { payload_ref });
    expect(await stored('ref-wkb')).toMatchObject({ payload_ref, geom_format: 'wkb' });
  });

  test.each([
    [{ payload_ref, geom_wkt: 'POINT(1 2)' }, 'geom_wkt and payload_ref are both given'],
    [{ payload_ref, geom_wkb: '0101' }, 'geom_wkb and payload_ref are both given'],
    [{ geom_format: 'wkt', geom_wkt: 'POINT(1 2)' }, 'there is no payload_ref'],
    [{ payload_ref, geom_format: 'shp' }, 'geom_format'],
    [{ payload_ref: 'sha256:zz' }, 'payload_ref'],
  ])('that leaves open which geometry is meant is refused: %j', async (members, message) => {
    const answer = await capture('ambiguous', members);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });
});

describe('a raster', () => {
  test('is its sources and its window, kept exactly, and never a blob', async () => {
    const before = readdirSync(blobs.folder).length;
    const source_uris = ['s3://scenes/a b/B04.tif', 'https://tiles.example/ä.tif?x=1&y=%20'];
    await send(POST, {
      body: `{"work_key":"raster","task_name":"t","source_uris":${JSON.stringify(source_uris)},
        "source_window":{"col_off":0.1,"row_off":1e3,"width":512,"height":256.50},"nodata":-9999.0}`,
    });
    const row = await stored('raster');
    expect(row).toMatchObject({ source_uris, nodata: '-9999.0', payload_ref: null, geom_wkb: null });
    expect(JSON.parse(String(row.source_window))).toEqual({ col_off: 0.1, row_off: 1000, width: 512, height: 256.5 });
    expect(readdirSync(blobs.folder)).toHaveLength(before);
  });
});

describe('a blob store that takes nothing', () => {
  const aside = () => `${blobs.folder}.aside`;
  beforeEach(async () => {
    vi.resetModules();
    ({ POST } = await import('@/app/api/dead-letters/route'));
  });

  test('leaves a large geometry inline, by either door: no capture is lost or refused for it', async () => {
    renameSync(blobs.folder, aside());
    writeFileSync(blobs.folder, 'a file where the folder was');
    try {
      const geom_wkb = lineOf(1_500_000, 4326);
      expect((await capture('inline', { geom_wkb: geom_wkb.toString('hex') })).json).toMatchObject({
        outcome: 'created',
      });
      const line = JSON.stringify({ work_key: 'inline-line', task_name: 't', geom_wkb: geom_wkb.toString('hex') });
      expect(await sendLines(POST, [line])).toMatchObject([{ outcome: 'created' }]);
      for (const work_key of ['inline', 'inline-line']) {
        const row = await stored(work_key);
        expect(row).toMatchObject({ payload_ref: null, has_geom: true });
        expect(Buffer.compare(row.geom_wkb as Buffer, geom_wkb)).toBe(0);
      }
    } finally {
      rmSync(blobs.folder);
      renameSync(aside(), blobs.folder);
    }
  });

  test('by never answering leaves it inline too, once the deadline has passed', async () => {
    const { moveLargeGeometry } = await import('@/lib/ingest/move-large-geometry');
    const stub = await startS3Stub({ bucket: 'queue' });
    try {
      stub.fail_next('hang', 3);
      const proposal = { p: '{"work_key":"k"}', wkb: lineOf(1_500_000, 4326), work_key: 'k' };
      const moved = await moveLargeGeometry(database.db, proposal, {
        openStore: () => openBlobStore(stub.url, stub.environment),
        deadline_ms: 50,
      });
      expect(moved).toBe(proposal);
      expect(stub.objects.size).toBe(0);
    } finally {
      await stub.stop();
    }
  });
});
