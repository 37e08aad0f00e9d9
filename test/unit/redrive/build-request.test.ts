import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redriveRequestSchema } from '@/lib/contract/task';
import { buildRequest, idempotencyHeader, type Rebuildable } from '@/lib/redrive/build-request';

const row = (change: Partial<Rebuildable> = {}): Rebuildable => ({
  attempt_id: randomUUID(),
  entry_id: '7',
  idempotency_key: 'k',
  work_key: 'k',
  queue: 'default',
  task_name: 'reproject',
  task_id: null,
  code_version: 'v1',
  geom_wkb: null,
  geom_given: null,
  geom_format: null,
  srid: null,
  src_crs: null,
  tile_z: null,
  tile_x: null,
  tile_y: null,
  tile_matrix_set: null,
  source_uris: null,
  source_window: null,
  nodata: null,
  target_crs: null,
  params_jsonb: null,
  params_raw: null,
  payload_ref: null,
  payload_hash: 'ab',
  edited_by: null,
  ...change,
});

describe('the request of a redrive', () => {
  test('is the same for the same row, and one that the contract reads, whatever the payload', () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }));
    const payload = fc.record({
      idempotency_key: fc.string({ minLength: 1, unit: 'grapheme' }),
      src_crs: text,
      geom_given: text,
      nodata: text,
      source_uris: fc.option(fc.array(fc.string())),
      params_jsonb: fc.option(fc.json()),
    });
    fc.assert(
      fc.property(payload, (change) => {
        const given = row(change);
        const request = buildRequest(given, null);
        expect(buildRequest(given, null)).toEqual(request);
        const read = redriveRequestSchema.parse(JSON.parse(request.body));
        const { params_jsonb, ...plain } = change;
        expect(read).toMatchObject(plain);
        expect(read.params).toEqual(JSON.parse(params_jsonb ?? 'null'));
      }),
    );
  });

  test('says where a person edited the payload, and nothing where it is as captured', () => {
    const edited_by = 'operator: ST_MakeValid(linework), PostGIS 3.3.2 GEOS 3.11.1, of payload 0123456789ab';
    const edited = buildRequest(row({ edited_by }), null);
    expect(edited.headers).toMatchObject({ 'dlo-payload-edited': 'true', 'idempotency-key': row({}).idempotency_key });
    expect(redriveRequestSchema.parse(JSON.parse(edited.body)).edited_by).toBe(edited_by);
    const captured = buildRequest(row({}), null);
    expect(captured.headers).not.toHaveProperty('dlo-payload-edited');
    expect(redriveRequestSchema.parse(JSON.parse(captured.body)).edited_by).toBeNull();
  });

  test('keeps params and the pixel window as text: no number is rounded', () => {
    const { body } = buildRequest(
      row({
        params_raw: Buffer.from('{"big":1e400, "id":12345678901234567890}'),
        params_jsonb: '{"big": 0}',
        source_window: '{"col_off": 0.30000000000000000001}',
      }),
      null,
    );
    expect(body).toContain('"params":{"big":1e400, "id":12345678901234567890}');
    expect(body).toContain('"source_window":{"col_off": 0.30000000000000000001}');
  });
});

describe('a payload kept by reference', () => {
  const payload_ref = `sha256:${'ab'.repeat(32)}`;
  test.each([
    [payload_ref, null, `/api/blobs/${'ab'.repeat(32)}`],
    [payload_ref, 'https://dlo.example/queue', `https://dlo.example/queue/api/blobs/${'ab'.repeat(32)}`],
    [null, 'https://dlo.example', null],
    ['elsewhere', null, null],
  ])('%s under %s is fetched from %s', (given, public_url, payload_url) => {
    const { body } = buildRequest(row({ payload_ref: given }), public_url);
    expect(redriveRequestSchema.parse(JSON.parse(body))).toMatchObject({ payload_ref: given, payload_url });
  });
});

describe('the Idempotency-Key header', () => {
  test('can be sent for any key, and is the same for the same key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (key) => {
        const value = idempotencyHeader(key);
        expect(new Headers({ 'idempotency-key': value }).get('idempotency-key')).toBe(value);
        expect(idempotencyHeader(key)).toBe(value);
      }),
    );
  });

  test('is the key itself, in UTF-8, where a header can carry it, else its hash', () => {
    expect(idempotencyHeader('parcel/12:EPSG:4326')).toBe('parcel/12:EPSG:4326');
    expect(Buffer.from(idempotencyHeader('Zürich ∅'), 'latin1').toString('utf8')).toBe('Zürich ∅');
    for (const key of ['two\nlines', ' blank', 'x'.repeat(5000)])
      expect(idempotencyHeader(key)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
