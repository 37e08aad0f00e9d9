import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { capturedSchema } from '@/lib/contract/capture';
import type { RouteHandler } from '@/lib/http/route';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { type Received, type Sent, send } from '@/test/support/http';
import { jsonText } from '@/test/support/json-texts';
import { sha256Of } from '@/test/support/sha256-of';

const fixtures = path.join(import.meta.dirname, '../fixtures');

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

const capture = (body: unknown, sent: Sent = {}): Promise<Received> => send(POST, { ...sent, body });

/** The stored payload of the newest capture of a key, bytes as hex. */
async function stored(work_key: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select e.failure_class, e.error_class, e.attempts, encode(p.geom_wkb, 'hex') as geom_wkb, p.geom is not null as has_geom,
       p.geom_given, p.geom_format, p.geom_error, p.srid, p.src_crs, p.params::text as params,
       convert_from(p.params_raw, 'UTF8') as params_raw, e.via
     from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
     where e.work_key = $1::text`,
    [work_key],
  );
  if (!rows[0]) throw new Error(`${work_key} is not stored`);
  return rows[0];
}

describe('one capture', () => {
  test('answers what became of it: created, repeated, duplicate, reopened', async () => {
    const body = { work_key: 'life', task_name: 'clip', failed_at: '2026-01-01T00:00:00Z' };
    const created = await capture(body);
    expect(created.status).toBe(200);
    expect(capturedSchema.parse(created.json)).toMatchObject({ work_key: 'life', attempts: 1, outcome: 'created' });
    expect((await capture(body)).json).toMatchObject({ attempts: 2, outcome: 'repeated' });
    const capture_id = '5a3f2f0e-27a7-4d5a-9c55-3f1f0f5f7a11';
    expect((await capture({ ...body, capture_id })).json).toMatchObject({ attempts: 3, outcome: 'repeated' });
    expect((await capture(body, { headers: { 'capture-id': capture_id } })).json).toMatchObject({
      attempts: 3,
      outcome: 'duplicate',
    });
    await database.pool.query(
      `update dlq.state set state = 'resolved', resolution = 'fixed', resolved_at = now(), version = version + 1
       where entry_id = (select id from dlq.entry where work_key = 'life')`,
    );
    const again = { ...body, failed_at: new Date(Date.now() + 60_000).toISOString() };
    expect((await capture(again)).json).toMatchObject({ attempts: 4, outcome: 'reopened' });
    expect(await stored('life')).toMatchObject({ attempts: 4, via: 'http' });
  });

  test('under a header and a body that name two captures is refused', async () => {
    const body = { work_key: 'two', task_name: 't', capture_id: '5a3f2f0e-27a7-4d5a-9c55-3f1f0f5f7a12' };
    const headers = { 'capture-id': '5a3f2f0e-27a7-4d5a-9c55-3f1f0f5f7a13' };
    expect((await capture(body, { headers })).status).toBe(400);
    const malformed = await capture({ work_key: 'two', task_name: 't' }, { headers: { 'capture-id': 'no uuid' } });
    expect(malformed.status).toBe(400);
    expect(malformed.json).toMatchObject({ error: { message: expect.stringContaining('Capture-Id') } });
  });

  test('of another task under the same key is an entry of its own', async () => {
    await capture({ work_key: 'shared', task_name: 'a' });
    const other = await capture({ work_key: 'shared', task_name: 'b' });
    expect(other.json).toMatchObject({ outcome: 'created', attempts: 1 });
    expect(capturedSchema.parse(other.json).work_key).not.toBe('shared');
  });

  test('with any failure class and none is taken, and waits by default as its class says', async () => {
    await capture({ work_key: 'class-1', task_name: 't', failure_class: 'sensor drift '.repeat(60) });
    expect(await stored('class-1')).toMatchObject({ failure_class: 'sensor drift '.repeat(60), error_class: 'fatal' });
    await capture({ work_key: 'class-2', task_name: 't', error_text: 'HTTP 503 from upstream', error_class: 'maybe' });
    expect(await stored('class-2')).toMatchObject({ failure_class: 'upstream_timeout', error_class: 'transient' });
  });

  test('over 33 MB is refused with the limit', async () => {
    const body = `{"work_key":"big","task_name":"t","geom_wkb":"${'0'.repeat(33_000_000)}"}`;
    const answer = await capture(body);
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ error: { message: expect.stringContaining('33000000') } });
  });

  test('with a geometry of a million vertices is stored whole, in the blob store', async () => {
    const wkb = Buffer.alloc(9 + 16_000_000);
    wkb[0] = 1;
    wkb.writeUInt32LE(2, 1);
    wkb.writeUInt32LE(1_000_000, 5);
    expect((await capture({ work_key: 'million', task_name: 't', geom_wkb: wkb.toString('base64') })).status).toBe(200);
    expect(await stored('million')).toMatchObject({ geom_wkb: null, geom_format: 'wkb' });
    expect(Buffer.compare(readFileSync(blobs.pathOf(sha256Of(wkb))), wkb)).toBe(0);
  });
});

describe('a geometry', () => {
  test('of arbitrary bytes is stored byte for byte, readable or not', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (sent) => {
        const work_key = `bytes-${n++}`;
        const hex = Buffer.from(sent).toString('hex');
        expect((await capture({ work_key, task_name: 't', geom_wkb: hex })).status).toBe(200);
        const row = await stored(work_key);
        expect(row.geom_wkb).toBe(hex);
        expect(row.has_geom).toBe(row.geom_error === null);
      }),
      { numRuns: 80 },
    );
  });

  test.each([
    [
      'an unclosed ring',
      '0103000000010000000400000000000000000000000000000000000000000000000000f03f0000000000000000000000000000f03f000000000000f03f0000000000000000000000000000f03f',
      true,
    ],
    ['NaN', '0101000000000000000000f87f000000000000f87f', true],
    ['truncated bytes', '01030000000100', false],
    ['an unknown type', '0163000000', false],
  ])('with %s is kept', async (name, hex, has_geom) => {
    await capture({ work_key: `geom ${name}`, task_name: 't', geom_wkb: hex });
    expect(await stored(`geom ${name}`)).toMatchObject({ geom_wkb: hex, has_geom });
  });

  test('as text that is neither hex nor base64 is kept as it was given', async () => {
    await capture({ work_key: 'neither', task_name: 't', geom_wkb: 'POINT!(1 2)' });
    expect(await stored('neither')).toMatchObject({
      geom_wkb: null,
      geom_given: 'POINT!(1 2)',
      geom_format: 'wkb',
      geom_error: expect.stringContaining('neither hex nor base64'),
    });
  });

  test('as WKT and as GeoJSON keeps the text exactly and has its bytes', async () => {
    await capture({ work_key: 'wkt', task_name: 't', geom_wkt: 'SRID=4326; Point ( 1.50 2 )' });
    expect(await stored('wkt')).toMatchObject({
      geom_given: 'SRID=4326; Point ( 1.50 2 )',
      has_geom: true,
      srid: 4326,
    });
    const geojson = '{ "type":"Polygon" ,"coordinates":[[[0,0],[1.50,1e0],[1,0]]]}';
    await capture(`{"work_key":"geojson","task_name":"t","geom_geojson":${geojson}}`);
    expect(await stored('geojson')).toMatchObject({ geom_given: geojson, geom_format: 'geojson', has_geom: true });
    await capture(`{"work_key":"feature","task_name":"t","geom_geojson":{"type":"Feature","id":1.0}}`);
    expect(await stored('feature')).toMatchObject({ geom_given: '{"type":"Feature","id":1.0}', has_geom: false });
  });
});

describe('a claimed CRS', () => {
  const forms = JSON.parse(readFileSync(path.join(fixtures, 'crs/claim-forms.json'), 'utf8')) as Record<string, string>;
  test.each(Object.entries(forms))('%s is stored verbatim', async (name, src_crs) => {
    const work_key = `crs ${name}`;
    expect((await capture({ work_key, task_name: 't', src_crs })).status).toBe(200);
    expect((await stored(work_key)).src_crs).toBe(src_crs.replaceAll('\0', '␀'));
  });

  test('as an object, a number, a list or nothing is stored as it was written', async () => {
    for (const [i, written] of ['{"type": "GeographicCRS","id":{"code":4326}}', '27700', '["EPSG", 1.0]'].entries()) {
      await capture(`{"work_key":"claim-${i}","task_name":"t","src_crs": ${written} }`);
      expect((await stored(`claim-${i}`)).src_crs).toBe(written);
    }
    await capture({ work_key: 'claim-none', task_name: 't' });
    expect((await stored('claim-none')).src_crs).toBeNull();
  });
});

describe('params', () => {
  test('come back with the value they had: from jsonb where it holds them, else from the bytes', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(jsonText, async (text) => {
        const work_key = `params-${n++}`;
        const answer = await capture(`{"work_key":"${work_key}","task_name":"t","params":${text}}`);
        expect(answer.status).toBe(200);
        const { params, params_raw } = await stored(work_key);
        if (params_raw !== null) expect(params_raw).toBe(text.trim());
        else if (text.trim() === 'null') expect(params).toBeNull();
        else expect(JSON.parse(String(params))).toEqual(JSON.parse(text));
      }),
      { numRuns: 150 },
    );
  });

  test('keep integers of any size, in jsonb', async () => {
    await capture('{"work_key":"digits","task_name":"t","params":{"id":123456789012345678901234567890}}');
    expect(await stored('digits')).toMatchObject({
      params: '{"id": 123456789012345678901234567890}',
      params_raw: null,
    });
  });
});

describe('arbitrary input', () => {
  const member = fc.constantFrom(
    ...[
      'work_key',
      'task_name',
      'queue',
      'task_id',
      'geom_wkb',
      'geom_wkt',
      'geom_geojson',
      'geom_hash',
      'srid',
      'src_crs',
    ],
    ...['tile_z', 'tile_x', 'source_uris', 'source_window', 'nodata', 'params', 'failure_class', 'error_class'],
    ...['error_text', 'traceback', 'code_version', 'failed_at', 'attempt_id', 'capture_id', 'sensitive', 'payload_ref'],
  );
  const odd = fc.oneof(
    jsonText,
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
    fc.date({ noInvalidDate: true }).map((at) => JSON.stringify(at)),
    fc.uuid({ version: [1, 4, 7] }).map((id) => `"${id}"`),
    fc.integer().map(String),
    fc.constantFrom(
      '"+012026-01-01T00:00:00Z"',
      '"2026-02-30T00:00:00Z"',
      '"9999-12-31T23:59:59.9999999+15:59"',
      '2147483648',
    ),
  );

  test('never makes a capture answer with a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(member, odd), { maxLength: 6 }), fc.nat(), async (members, n) => {
        const given = [['work_key', `"any-${n % 20}"`], ['task_name', '"t"'], ...members];
        const unique = [...new Map(given.map(([name, value]) => [name, value]))];
        const body = `{${unique.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
        const answer = await capture(body);
        expect([200, 400, 422], `${answer.text} to ${body}`).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
  });

  test('that is any JSON or none at all is answered with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(jsonText, fc.string()), async (body) => {
        const { status, json } = await capture(body);
        expect(status).toBe(400);
        expect(json).toMatchObject({ error: { code: 'bad_request' } });
      }),
      { numRuns: 100 },
    );
  });
});

describe('the public reports', () => {
  const reports = readFileSync(path.join(fixtures, 'cases/public-reports.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>);
  test.each(reports)('$id is captured with its geometry and claim', async (report) => {
    const answer = await capture({
      work_key: report.id,
      task_name: 'report',
      src_crs: report.src_crs,
      target_crs: report.target_crs ?? null,
      failure_class: report.failure_class,
      error_text: report.said,
      ...(report.wkt ? { geom_wkt: report.wkt } : { geom_wkb: report.wkb_hex }),
    });
    expect(answer.json).toMatchObject({ outcome: 'created' });
    const row = await stored(String(report.id));
    expect(row).toMatchObject({ has_geom: true, src_crs: report.src_crs, failure_class: report.failure_class });
    if (report.wkt) expect(row.geom_given).toBe(report.wkt);
    else expect(row.geom_wkb).toBe(report.wkb_hex?.toLowerCase());
  });
});
