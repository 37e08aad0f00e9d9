import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { type Evidence, evidenceSchema } from '@/lib/contract/entry';
import { payloadRef } from '@/lib/dead-letter/size-rule';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { MAX_GEOMETRY_BYTES } from '@/lib/triage/entry-geometry';
import { getEvidence, INLINE_BYTES } from '@/lib/triage/get-evidence';
import { MASKED } from '@/lib/triage/mask';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { putBlob } from '@/test/support/put-blob';
import { sha256Of } from '@/test/support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let store: BlobStore;
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  store = openBlobStore(blobs.folder, {});
});
afterAll(async () => {
  await database?.drop();
  blobs.remove();
});

const ask = async (id: string, role: Role = 'operator'): Promise<Evidence> =>
  evidenceSchema.parse(await getEvidence({ db: database.db, actor: { name: 'someone', role } }, { id }, () => store));

async function capture(work_key: string, hex: string | null, rest: Record<string, unknown> = {}): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select (dlq.capture($1::jsonb, decode($2::text, 'hex'))).entry_id::text as id`,
    [
      {
        work_key,
        task_name: 'reproject',
        failure_class: 'invalid_geometry',
        src_crs: 'EPSG:4326',
        srid: 4326,
        ...rest,
      },
      hex,
    ],
  );
  return rows[0]?.id ?? '';
}

/** What the worker writes, for the payload that the entry has now. */
async function diagnose(id: string, columns: Record<string, unknown> = {}): Promise<void> {
  await database.pool.query(
    `update dlq.diagnosis d set payload_hash = e.payload_hash, diagnosed_at = clock_timestamp(), valid = (r.valid),
        faults = coalesce(r.faults, '[]'), crs_verdict = r.crs_verdict, crs_reason = r.crs_reason,
        candidates = coalesce(r.candidates, '[]'), suggestion = r.suggestion, unmappable_reason = r.unmappable_reason,
        reproject_error = r.reproject_error, also = coalesce(r.also, '{}'), footprint = ST_GeomFromText(r.footprint, 4326)
      from dlq.entry e, jsonb_to_record($2::jsonb) as r(valid boolean, faults jsonb, crs_verdict text, crs_reason text, candidates jsonb,
        suggestion jsonb, unmappable_reason text, reproject_error text, footprint text, also text[])
      where d.entry_id = $1::bigint and e.id = d.entry_id`,
    [id, columns],
  );
  if (columns.footprint)
    await database.pool.query(
      `update dlq.state s set cell = dlq.cell_of(10, 50), public_cell = dlq.public_cell_of(dlq.cell_of(10, 50), e.sensitive)
       from dlq.entry e where e.id = s.entry_id and s.entry_id = $1::bigint`,
      [id],
    );
}

/** Little-endian polygon 0 0, 4 0, 4 4 with a NaN inside, not closed. */
const NAN_RING =
  '0103000000010000000400000000000000000000000000000000000000' +
  '00000000000010400000000000000000' +
  '000000000000F87F0000000000001040' +
  '00000000000010400000000000001040';

/** Every field of which tells a place. */
const CANDIDATE = {
  crs: 'EPSG:3734',
  name: 'Ohio North (ftUS)',
  swapped: false,
  x_sign: -1,
  y_sign: 1,
  place: [-81.5, 41.2],
  score: 7,
  reason: '12.5 km north of its tile',
  equivalents: [],
  in_prior: 0.5,
  to_tile_m: 12_500,
  to_tile_bearing: 12,
};

const FAULT = { code: 'self_intersection', path: [0, 0, 2], at: [1, 1], message: 'crosses itself', severity: 'fails' };

describe('the evidence of an entry', () => {
  test('gives the bytes exactly as captured, whatever PostGIS says of them', async () => {
    for (const [key, hex] of [
      ['garbage', 'deadbeef00'],
      ['truncated', NAN_RING.slice(0, 60)],
      ['nan', NAN_RING],
      ['empty bytes', ''],
    ] as const) {
      const evidence = await ask(await capture(key, hex));
      expect(evidence.geom_wkb, key).toBe(hex.toLowerCase());
      expect(evidence).toMatchObject({
        mappable: false,
        unmappable_reason: 'not_diagnosed',
        diagnosed_at: null,
        faults: [],
      });
    }
  });

  test('gives what the diagnosis says, and the footprint without repair', async () => {
    const id = await capture('bow-tie', NAN_RING);
    await diagnose(id, {
      valid: false,
      faults: [FAULT],
      crs_verdict: 'axis_swapped',
      crs_reason: 'lat first',
      candidates: [
        {
          crs: 'EPSG:4326',
          name: 'WGS 84',
          swapped: true,
          place: [10, 50],
          score: 0.9,
          reason: 'on land',
          equivalents: [],
        },
      ],
      suggestion: 'EPSG:4326',
      footprint: 'POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))',
    });
    const evidence = await ask(id);
    expect(evidence).toMatchObject({
      valid: false,
      mappable: true,
      unmappable_reason: null,
      faults: [FAULT],
      crs_verdict: 'axis_swapped',
      suggestion: 'EPSG:4326',
    });
    expect(evidence.candidates).toHaveLength(1);
    const { rows } = await database.pool.query<{ text: string }>('select ST_AsEWKT($1::geometry) as text', [
      evidence.reprojected_wkb,
    ]);
    expect(rows[0]?.text).toBe('SRID=4326;POLYGON((0 0,2 2,2 0,0 2,0 0))');
  });

  test('leaves out a fault that does not follow the contract, and keeps the others', async () => {
    const id = await capture('odd faults', NAN_RING);
    await diagnose(id, {
      faults: [{ code: 1 }, 'x', null, { ...FAULT, at: ['NaN', 1] }, FAULT],
      candidates: { not: 'a list' },
    });
    expect(await ask(id)).toMatchObject({ faults: [FAULT], candidates: [] });
  });

  test('does not give the diagnosis of an earlier payload for this one', async () => {
    const id = await capture('changed', NAN_RING);
    await diagnose(id, { valid: false, faults: [FAULT], footprint: 'POINT(1 1)' });
    expect(await capture('changed', '0101000000000000000000f03f000000000000f03f')).toBe(id);
    expect(await ask(id)).toMatchObject({
      mappable: false,
      unmappable_reason: 'not_diagnosed',
      faults: [],
      reprojected_wkb: null,
    });
  });

  test('says why a geometry is not in the answer', async () => {
    const big = await capture('big', null);
    await database.pool.query(
      `insert into dlq.payload (entry_id, payload_hash, geom_wkb) values ($1::bigint, '\\x01', decode(repeat('00', $2::integer), 'hex'))`,
      [big, MAX_GEOMETRY_BYTES + 1],
    );
    await database.pool.query(`update dlq.entry set payload_hash = '\\x01' where id = $1::bigint`, [big]);
    expect(await ask(big)).toMatchObject({
      geom_wkb: null,
      geom_omitted: expect.stringMatching(/40\.0 MB, over the 40 MB/),
    });
    const kept = await capture('kept elsewhere', null, { payload_ref: `sha256:${'0'.repeat(64)}` });
    expect(await ask(kept)).toMatchObject({
      geom_wkb: null,
      geom_omitted: expect.stringMatching(/the blob sha256:0000\S* is not in the store/),
    });
    expect(await ask(await capture('no geometry', null))).toMatchObject({ geom_wkb: null, geom_omitted: null });
  });

  test('has the bytes of a geometry kept by reference, of a text too, or says why not', async () => {
    const put = async (bytes: Uint8Array) => payloadRef(await putBlob({ db: database.db, store }, bytes));
    const point = '0101000000000000000000f03f0000000000000040';
    const payload_ref = await put(Buffer.from(point, 'hex'));
    expect(await ask(await capture('ref', null, { payload_ref }))).toMatchObject({
      geom_wkb: point,
      geom_omitted: null,
    });
    const text = { payload_ref: await put(Buffer.from('POINT(1 2)')), geom_format: 'wkt' };
    expect(await ask(await capture('ref text', null, text))).toMatchObject({ geom_wkb: point });
    const secret = await ask(await capture('ref secret', null, { payload_ref, sensitive: true }), 'viewer');
    expect(secret).toMatchObject({ geom_wkb: null, geom_omitted: null });

    const points = Buffer.alloc(9 + 20_000 * 21);
    points.set([1, 4, 0, 0, 0]);
    points.writeUInt32LE(20_000, 5);
    for (let at = 9; at < points.length; at += 21) points.set([1, 1, 0, 0, 0], at);
    const elsewhere = await ask(await capture('ref bytes', null, { payload_ref: await put(points) }));
    expect(elsewhere).toMatchObject({
      geom_wkb: null,
      geom_bytes_at: `/api/dead-letters/${elsewhere.id}/geometry?format=wkb`,
      geom_omitted: null,
      cursor_link: { checked: 16, max_error_m: 0 },
    });

    const large = { payload_ref: await put(Buffer.alloc(MAX_GEOMETRY_BYTES + 1)) };
    expect((await ask(await capture('ref large', null, large))).geom_omitted).toMatch(
      /40 MB.*\/api\/blobs\/[0-9a-f]{64}$/,
    );
    const broken = { payload_ref: await put(Buffer.from('POINT(1')), geom_format: 'wkt' };
    expect((await ask(await capture('ref broken', null, broken))).geom_omitted).toMatch(/at 7/);
    blobs.damage(sha256Of(Buffer.from(point, 'hex')), Buffer.from(point, 'hex'));
    expect((await ask(await capture('ref', null, { payload_ref }))).geom_omitted).toMatch(/is damaged/);
  });

  test('shows a viewer no byte and no place of a sensitive entry', async () => {
    const id = await capture('secret', NAN_RING, { sensitive: true });
    await diagnose(id, {
      valid: false,
      faults: [FAULT],
      crs_reason: 'at 10, 50',
      footprint: 'POINT(10 50)',
      suggestion: 'EPSG:1',
      also: ['wrong_unit'],
      candidates: [CANDIDATE],
      reproject_error: 'at 10 50',
    });
    expect(await ask(id, 'operator')).toMatchObject({
      mappable: true,
      reprojected_wkb: expect.any(String),
      candidates: [CANDIDATE],
    });
    expect(await ask(id, 'viewer')).toEqual({
      id,
      geom_wkb: null,
      geom_bytes_at: null,
      geom_omitted: null,
      valid: false,
      mappable: false,
      unmappable_reason: 'sensitive',
      faults: [{ ...FAULT, path: null, at: null, message: MASKED }],
      crs_verdict: null,
      also: ['wrong_unit'],
      crs_reason: MASKED,
      candidates: [],
      suggestion: null,
      // constant for the claim, which a viewer may read
      claim: expect.objectContaining({ id: 'EPSG:4326' }),
      area_of_use: [-180, -90, 180, 90],
      area_of_use_source: expect.any(Array),
      cursor_link: null,
      cursor_link_reason: MASKED,
      reprojected_wkb: null,
      reprojected_at: null,
      reproject_error: MASKED,
      diagnosed_at: expect.any(String),
    });
  });

  test('says where a large geometry and its reprojection can be had, and gives a small one at once', async () => {
    const ring = (n: number) =>
      `POLYGON((${Array.from({ length: n }, (_, i) => `${10 + Math.cos((i * 2 * Math.PI) / n)} ${50 + Math.sin((i * 2 * Math.PI) / n)}`).join(',')},11 50))`;
    for (const [vertices, is_large] of [
      [INLINE_BYTES / 16 - 2, false],
      [INLINE_BYTES / 16, true],
    ] as const) {
      const { rows } = await database.pool.query<{ hex: string }>(
        `select encode(ST_AsBinary($1::geometry), 'hex') as hex`,
        [ring(vertices - 1)],
      );
      const id = await capture(`ring ${vertices}`, rows[0]?.hex ?? '');
      await diagnose(id, { valid: true, footprint: ring(vertices - 1) });
      const evidence = await ask(id);
      expect(evidence.geom_wkb === null).toBe(is_large);
      expect(evidence.reprojected_wkb === null).toBe(is_large);
      expect(evidence).toMatchObject({
        geom_omitted: null,
        geom_bytes_at: is_large ? `/api/dead-letters/${id}/geometry?format=wkb` : null,
        reprojected_at: is_large ? `/api/dead-letters/${id}/reprojected` : null,
        cursor_link: { checked: 16 },
      });
    }
  });

  test('says that there is no such entry', async () => {
    for (const id of ['999999', '99999999999999999999', 'x', '', '-1', "1' or '1'='1"])
      await expect(ask(id), id).rejects.toMatchObject({ code: 'not_found' });
  });
});
