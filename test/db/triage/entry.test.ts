import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Entry, entrySchema } from '@/lib/contract/entry';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { getEntry } from '@/lib/triage/get-entry';
import { MASKED } from '@/lib/triage/mask';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_TARGETS', JSON.stringify({ pipeline: { type: 'webhook', url: 'http://127.0.0.1:9/', secret: 's' } }));
  await database.pool.query(
    `insert into dlq.task (task_name, code_versions, params_schema, target, owner, updated_by)
     values ('reproject', '{v1,v2}', '{"type": "object", "required": ["to"], "additionalProperties": false, "properties": {"to": {"type": "string"}}}', 'pipeline', 'the tile team', 'test')`,
  );
});
afterAll(() => database?.drop());

const ask = async (id: string, role: Role = 'operator'): Promise<Entry> =>
  entrySchema.parse(await getEntry({ db: database.db, actor: { name: 'someone', role } }, { id }));

const POINT = '0101000000000000000000f03f0000000000000040';

async function capture(p: Record<string, unknown>, hex: string | null = POINT): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select (dlq.capture($1::jsonb, decode($2::text, 'hex'))).entry_id::text as id`,
    [
      { task_name: 'reproject', failure_class: 'crs_mismatch', code_version: 'v1', params: { to: 'EPSG:3857' }, ...p },
      hex,
    ],
  );
  return rows[0]?.id ?? '';
}

describe('one entry', () => {
  test('is whole: payload, occurrences, history, manifest and what a redrive would send', async () => {
    const id = await capture({
      work_key: 'whole',
      src_crs: 'EPSG:4326',
      srid: 4326,
      tile_z: 3,
      tile_x: 1,
      tile_y: 2,
      source_uris: ['s3://b/k'],
      error_text: 'x'.repeat(400),
      traceback: 'Traceback…',
    });
    const entry = await ask(id);
    expect(entry).toMatchObject({
      id,
      work_key: 'whole',
      idempotency_key: 'whole',
      state: 'open',
      attempts: 1,
      attempts_before: 0,
      attempts_before_by: null,
      unmappable_reason: 'not_diagnosed',
      position: null,
      error_text: 'x'.repeat(400),
      traceback: 'Traceback…',
      payload: {
        geom_type: 'POINT',
        geom_bytes: 21,
        srid: 4326,
        tile_z: 3,
        source_uris: ['s3://b/k'],
        params_text: '{"to": "EPSG:3857"}',
        params_exact: false,
      },
      manifest: { code_versions: ['v1', 'v2'], knows_version: true, target: 'pipeline', owner: 'the tile team' },
      faithfulness: { faithful: true, reason: null },
    });
    expect(entry.occurrences).toHaveLength(1);
    expect(entry.events).toMatchObject([{ from_state: null, to_state: 'open', reason: 'captured' }]);
    expect(entry.redrives).toEqual([]);
    expect(entry.would_send?.headers['idempotency-key']).toBe('whole');
    expect(JSON.parse(entry.would_send?.body ?? '')).toMatchObject({
      work_key: 'whole',
      geom_wkb: POINT,
      params: { to: 'EPSG:3857' },
    });
  });

  test('keeps every version of the payload, newest first, and says which is the current one', async () => {
    const first = { work_key: 'twice', failed_at: '2026-11-01T00:00:00Z' };
    await capture(first);
    const id = await capture({ ...first, failed_at: '2026-11-02T00:00:00Z', params: { to: 'EPSG:4326' } });
    // a late report of the day before: counted, kept, not the current one
    await capture({ ...first, failed_at: '2026-10-01T00:00:00Z', params: { to: 'EPSG:1' } });
    const entry = await ask(id);
    expect(entry.attempts).toBe(3);
    expect(entry.payloads.map(({ params_text }) => params_text)).toEqual([
      '{"to": "EPSG:1"}',
      '{"to": "EPSG:4326"}',
      '{"to": "EPSG:3857"}',
    ]);
    expect(entry.payload.params_text).toBe('{"to": "EPSG:4326"}');
    expect(entry.occurrences.map(({ failed_at }) => failed_at.slice(0, 10))).toEqual([
      '2026-10-01',
      '2026-11-02',
      '2026-11-01',
    ]);
  });

  test('gives params that jsonb cannot hold byte for byte, and says where they are no text', async () => {
    const raw = (text: Buffer) => ({ params: undefined, params_raw: text.toString('base64') });
    const exact = await ask(await capture({ work_key: 'raw', ...raw(Buffer.from('{"to":"\\u0000", "to":1e999}')) }));
    expect(exact.payload).toMatchObject({ params_text: '{"to":"\\u0000", "to":1e999}', params_exact: true });
    const broken = await ask(await capture({ work_key: 'no text', ...raw(Buffer.from([0x7b, 0xff, 0x7d])) }));
    expect(broken.payload).toMatchObject({ params_exact: false });
    expect(broken).toMatchObject({ would_send: null, faithfulness: { faithful: false, reason: 'invalid_param' } });
  });

  test('says why it cannot be rebuilt', async () => {
    const why = async (p: Record<string, unknown>) => (await ask(await capture(p))).faithfulness.reason;
    expect(await why({ work_key: 'f1', task_name: 'unregistered' })).toBe('no_manifest');
    expect(await why({ work_key: 'f2', code_version: 'v9' })).toBe('unknown_code_version');
    expect(await why({ work_key: 'f3', params: {} })).toBe('missing_param');
    expect(await why({ work_key: 'f4', params: { to: 'x', from: 'y' } })).toBe('extra_param');
    expect((await ask(await capture({ work_key: 'f5', task_name: 'unregistered' }))).manifest).toBeNull();
  });

  test('lists the code versions of its task in the order of their first failure', async () => {
    for (const [key, code_version, failed_at] of [
      ['a', 'v2', '2026-11-02T00:00:00Z'],
      ['b', 'v1', '2026-11-01T00:00:00Z'],
      ['c', 'v2', '2026-11-03T00:00:00Z'],
      ['d', undefined, '2026-11-03T00:00:00Z'],
    ])
      await capture({ work_key: key, task_name: 'versions', code_version, failed_at });
    await capture({ work_key: 'other', task_name: 'another task', code_version: 'v7' });
    const id = await capture({
      work_key: 'e',
      task_name: 'versions',
      code_version: 'v3',
      failed_at: '2026-11-04T00:00:00Z',
    });
    expect((await ask(id)).versions).toEqual([
      {
        code_version: 'v1',
        first_seen: '2026-11-01T00:00:00.000000Z',
        failed_at: '2026-11-01T00:00:00.000000Z',
        entries: 1,
      },
      {
        code_version: 'v2',
        first_seen: '2026-11-02T00:00:00.000000Z',
        failed_at: '2026-11-03T00:00:00.000000Z',
        entries: 2,
      },
      {
        code_version: 'v3',
        first_seen: '2026-11-04T00:00:00.000000Z',
        failed_at: '2026-11-04T00:00:00.000000Z',
        entries: 1,
      },
    ]);
  });

  test('shows a viewer of a sensitive entry nothing that came from its data', async () => {
    const secret = 'the-secret';
    const id = await capture({
      work_key: secret,
      task_id: secret,
      geom_hash: secret,
      run_id: secret,
      error_text: secret,
      traceback: secret,
      geom_error: secret,
      geom_given: secret,
      nodata: secret,
      source_uris: [secret],
      source_window: { col_off: 4711 },
      tile_x: 4711,
      params: { to: secret },
      sensitive: true,
    });
    await database.pool.query(
      `insert into dlq.redrive (id, entry_id, payload_hash, idempotency_key, target, worker, answer, ended_at, outcome)
       select gen_random_uuid(), id, payload_hash, idempotency_key, 'pipeline', 'w', 'the-secret answer', now(), 'rejected' from dlq.entry where id = $1::bigint`,
      [id],
    );
    expect(JSON.stringify(await ask(id, 'operator'))).toContain(secret);
    const seen = await ask(id, 'viewer');
    expect(JSON.stringify(seen)).not.toContain(secret);
    expect(JSON.stringify(seen)).not.toContain('4711');
    expect(JSON.stringify(seen)).not.toContain(POINT);
    expect(seen).toMatchObject({
      work_key: MASKED,
      error_text: MASKED,
      would_send: null,
      position: null,
      task_name: 'reproject',
      code_version: 'v1',
    });
  });

  test('cuts a large geometry in what would be sent, and says how large it is', async () => {
    const id = await capture({ work_key: 'large' }, `${POINT}${'00'.repeat(1_000_001)}`);
    const entry = await ask(id);
    expect(entry.payload.geom_bytes).toBe(1_000_022);
    expect(entry.would_send?.body.length).toBeLessThan(5_000);
    expect(JSON.parse(entry.would_send?.body ?? '').geom_wkb).toMatch(/^01010.*…$/);
  });

  test('says that there is no such entry', async () => {
    for (const id of ['999999', '99999999999999999999', 'x', ''])
      await expect(ask(id), id).rejects.toMatchObject({ code: 'not_found' });
  });
});
