import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Db } from '@/db/client';
import { claim } from '@/db/queries/claim';
import { loadRedrives } from '@/db/queries/load-redrives';
import type { PayloadEditBody } from '@/lib/contract/edit';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { buildRequest } from '@/lib/redrive/build-request';
import { editPayload } from '@/lib/repair/edit-payload';
import { previewRepair } from '@/lib/repair/preview-repair';
import { putTask } from '@/lib/tasks/put-task';
import { getEntry } from '@/lib/triage/get-entry';
import { readWkb } from '@/lib/wkb/read-wkb';
import { type BlobFolder, makeBlobFolder } from '../support/blob-folder';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { lockWaits } from '../support/lock-waits';
import { ewkb, pointlessRing } from './repair/shapes';

const actor = { name: 'Ada', role: 'operator' as const };
const BOWTIE = ewkb([[0, 0, 1, 1, 1, 0, 0, 1, 0, 0]], 4326);

let database: TestDatabase;
let blobs: BlobFolder;
let db: Db;
beforeAll(async () => {
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', 'postgres://unused@127.0.0.1/unused');
  vi.stubEnv('DLO_TARGETS', JSON.stringify({ pipeline: { type: 'webhook', url: 'http://127.0.0.1:9/', secret: 's' } }));
  database = await cloneDatabase();
  db = database.db;
  const manifest = {
    code_versions: ['v1'],
    params_schema: { type: 'object', properties: { n: { type: 'integer' }, deep: { type: 'object' } } },
    target: 'pipeline',
    idempotent: false,
    takes_references: false,
  };
  await putTask({ db, actor }, { task_name: 'clip', manifest });
});
afterAll(async () => {
  await database?.drop();
  blobs.remove();
});

interface Captured {
  id: string;
  fail: (change?: Record<string, unknown>) => Promise<unknown>;
}

async function captured(members: Record<string, unknown> = {}): Promise<Captured> {
  const base = {
    work_key: randomUUID(),
    task_name: 'clip',
    code_version: 'v1',
    geom_wkb: BOWTIE,
    src_crs: 'EPSG:4326',
    tile_z: 3,
    tile_x: 1,
    tile_y: 2,
    source_uris: ['s3://a/b.tif'],
    nodata: '-9999',
    params: { n: 1, deep: { none: null, list: [1, 2.5] } },
    ...members,
  };
  const write = (change: Record<string, unknown>) =>
    captureOne({ db }, { text: JSON.stringify({ ...base, ...change }), via: 'http' });
  return { id: (await write({})).id, fail: (change = {}) => write({ capture_id: randomUUID(), ...change }) };
}

/** The edit of what is there now. */
async function edit(
  id: string,
  change: Partial<PayloadEditBody>,
  seen?: { payload_hash: string; version: string },
): ReturnType<typeof editPayload> {
  const now = seen ?? (await standing(id));
  const { payload_hash, version } = now;
  return editPayload({ db, actor }, { id, payload_hash, version, reason: 'for a redrive', ...change });
}

interface Standing {
  payload_hash: string;
  version: string;
  state: string;
  src_crs: string | null;
  srid: number | null;
  waits: boolean;
}

async function standing(id: string): Promise<Standing> {
  const { rows } = await database.pool.query<Standing>(
    `select encode(e.payload_hash, 'hex') as payload_hash, s.version::text, s.state, c.src_crs, c.srid, d.diagnosed_at is null as waits
    from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo join dlq.diagnosis d on d.entry_id = e.id
    where e.id = $1`,
    [id],
  );
  return rows[0] as Standing;
}

async function versions(id: string): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query(
    'select p.*, p.geom::text as geom_text from dlq.payload p where entry_id = $1 order by captured_at',
    [id],
  );
  return rows;
}

const setState = (id: string, state: string, rest = '') =>
  database.pool.query(`update dlq.state set state = '${state}', version = version + 1 ${rest} where entry_id = $1`, [
    id,
  ]);

describe('a repair as the payload', () => {
  test('is one more version with its provenance; what was captured stays byte for byte', async () => {
    const { id } = await captured();
    await diagnoseBatch(db);
    const [evidence] = await versions(id);
    const before = await standing(id);
    const preview = await previewRepair({ db, actor }, { id, method: 'structure' });
    const edited = await edit(id, { repair: { method: 'structure' } });
    expect(edited).toMatchObject({ id, added: true, state: 'open', version: String(Number(before.version) + 1) });
    expect(edited.edited_by).toMatch(
      new RegExp(
        `^Ada: ST_MakeValid\\(structure\\), PostGIS 3[.\\d]+ GEOS 3[.\\d]+, of payload ${before.payload_hash.slice(0, 12)}$`,
      ),
    );
    const [first, second, ...more] = await versions(id);
    expect(more).toEqual([]);
    expect(first).toEqual(evidence);
    const { payload_hash, geom, geom_text, geom_wkb, edited_by, captured_at, ...copied } = second!;
    expect(copied).toEqual(Object.fromEntries(Object.keys(copied).map((name) => [name, evidence![name]])));
    expect((geom_wkb as Buffer).toString('hex')).toBe(preview.geom_wkb);
    expect((geom_text as string).toLowerCase()).toBe(preview.geom_wkb);
    expect([edited_by, (payload_hash as Buffer).toString('hex')]).toEqual([edited.edited_by, edited.payload_hash]);
    expect(await standing(id)).toMatchObject({ payload_hash: edited.payload_hash, waits: true, state: 'open' });
  });

  test('is diagnosed anew, shown as the current one, and told in the history with who and why', async () => {
    const { id } = await captured();
    await diagnoseBatch(db);
    expect((await database.pool.query('select valid from dlq.diagnosis where entry_id = $1', [id])).rows[0].valid).toBe(
      false,
    );
    const edited = await edit(id, { repair: { method: 'linework' }, reason: 'the loops are meant' });
    await diagnoseBatch(db);
    const { rows } = await database.pool.query(
      "select valid, encode(payload_hash, 'hex') as payload_hash from dlq.diagnosis where entry_id = $1",
      [id],
    );
    expect(rows).toEqual([{ valid: true, payload_hash: edited.payload_hash }]);
    const entry = await getEntry({ db, actor }, { id });
    expect(entry.payload).toMatchObject({ edited_by: edited.edited_by, payload_hash: edited.payload_hash });
    expect(entry.payloads.map((one) => one.edited_by)).toEqual([edited.edited_by, null]);
    expect(entry.events[0]).toMatchObject({
      actor: 'Ada',
      reason: 'the loops are meant',
      from_state: 'open',
      to_state: 'open',
      payload_hash: edited.payload_hash,
      change: edited.change,
    });
    expect(entry.faithfulness).toEqual({
      faithful: true,
      reason: null,
      detail: `the payload was edited by ${edited.edited_by}`,
    });
  });

  test('goes out under the same idempotency key, and says that it is edited', async () => {
    const { id } = await captured();
    const edited = await edit(id, { repair: { method: 'linework' } });
    const { version } = await standing(id);
    const [claimed] = await claim(db, [{ entry_id: id, version, attempt_id: randomUUID() }], {
      worker: 'test',
      operation_id: null,
      lease_ms: 60_000,
    });
    const [row] = await loadRedrives(db, [claimed!.attempt_id]);
    const { headers, body } = buildRequest(row!, null);
    const entry = await getEntry({ db, actor }, { id });
    expect(headers).toMatchObject({ 'idempotency-key': entry.idempotency_key, 'dlo-payload-edited': 'true' });
    expect(JSON.parse(body)).toMatchObject({
      idempotency_key: entry.idempotency_key,
      edited_by: edited.edited_by,
      payload_hash: edited.payload_hash,
      params: { n: 1, deep: { none: null, list: [1, 2.5] } },
    });
  });

  test('of a payload that PostGIS would answer from nothing is refused', async () => {
    const { id } = await captured({ geom_wkb: pointlessRing() });
    await expect(edit(id, { repair: { method: 'linework' } })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('uninitialised memory'),
    });
    expect(await versions(id)).toHaveLength(1);
  });

  test('that changes nothing is refused, and nothing is written', async () => {
    const { id } = await captured({ ...SQUARE });
    const before = await standing(id);
    await expect(edit(id, { repair: { method: 'linework' } })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('nothing of dead letter'),
    });
    expect(await standing(id)).toEqual(before);
    expect(await versions(id)).toHaveLength(1);
  });

  test('of over a megabyte lies in the blob store, as a captured one does', async () => {
    const around = Array.from({ length: 70_000 }, (_, i) => [Math.cos(i / 11_141), Math.sin(i / 11_141)]).flat();
    const { id } = await captured({ geom_wkb: ewkb([[...around, 0, 0, around[0] as number, around[1] as number]]) });
    const [evidence] = await versions(id);
    expect(evidence).toMatchObject({ geom_wkb: null, payload_ref: expect.stringMatching(/^sha256:/) });
    await edit(id, { repair: { method: 'structure' } });
    const [, second] = await versions(id);
    expect(second).toMatchObject({ geom_wkb: null, payload_ref: expect.stringMatching(/^sha256:/) });
    expect(second!.payload_ref).not.toBe(evidence!.payload_ref);
    await diagnoseBatch(db);
  });
});

const SQUARE = { geom_wkb: ewkb([[0, 0, 1, 0, 1, 1, 0, 1, 0, 0]]) };

describe('another CRS', () => {
  test('changes the claim, the number on the geometry with it, and the facets, and no vertex', async () => {
    const { id } = await captured();
    const edited = await edit(id, { src_crs: 'EPSG:3734' });
    expect(edited.change).toBe('src_crs EPSG:4326 → EPSG:3734, SRID 4326 → 3734');
    const [first, second] = await versions(id);
    expect(second).toMatchObject({ src_crs: 'EPSG:3734', srid: 3734 });
    const [a, b] = [first, second].map((row) => readWkb(row!.geom_wkb as Buffer));
    expect([a!.srid, b!.srid]).toEqual([4326, 3734]);
    expect(b!.coords).toEqual(a!.coords);
    expect(await standing(id)).toMatchObject({ src_crs: 'EPSG:3734', srid: 3734, waits: true });
  });

  test('leaves a geometry without a number, and what was given as text, as they are', async () => {
    const { id } = await captured({ geom_wkb: undefined, geom_wkt: 'POLYGON((0 0,1 0,1 1,0 0))', srid: undefined });
    await edit(id, { src_crs: 'ESRI:102722' });
    const [first, second] = await versions(id);
    expect(second).toMatchObject({ src_crs: 'ESRI:102722', srid: null, geom_given: 'POLYGON((0 0,1 0,1 1,0 0))' });
    expect(second!.geom_wkb).toEqual(first!.geom_wkb);
  });

  test('with swapped axes and a lost sign is the geometry with both put right', async () => {
    const { id } = await captured({ geom_wkb: ewkb([[10, 20, 11, 20, 11, 22, 10, 20]]), srid: undefined });
    const edited = await edit(id, { src_crs: 'EPSG:4326', swapped: true, x_sign: -1 });
    expect(edited.change).toMatch(/^src_crs EPSG:4326 → EPSG:4326, axes swapped, sign of x turned by PostGIS/);
    const [first, second] = await versions(id);
    expect([...readWkb(first!.geom_wkb as Buffer).coords]).toEqual([10, 20, 11, 20, 11, 22, 10, 20]);
    expect([...readWkb(second!.geom_wkb as Buffer).coords]).toEqual([-20, 10, -20, 11, -22, 11, -20, 10]);
  });

  test('that was to come from a candidate is refused unless this diagnosis has it with these axes', async () => {
    const { id } = await captured();
    await diagnoseBatch(db);
    await database.pool.query('update dlq.diagnosis set candidates = $2 where entry_id = $1', [
      id,
      JSON.stringify([{ crs: 'EPSG:3734', swapped: true, x_sign: 1, y_sign: 1, equivalents: ['EPSG:3747'] }]),
    ]);
    const refused = { code: 'unprocessable', message: expect.stringContaining('is no candidate') };
    await expect(edit(id, { src_crs: 'EPSG:3734', from_candidate: true })).rejects.toMatchObject(refused);
    await expect(edit(id, { src_crs: 'EPSG:3735', swapped: true, from_candidate: true })).rejects.toMatchObject(
      refused,
    );
    const edited = await edit(id, { src_crs: 'EPSG:3734', swapped: true, from_candidate: true });
    expect(edited.change).toContain(', a candidate of the diagnosis');
    // the candidates belong to the payload before
    await expect(edit(id, { src_crs: 'EPSG:3747', swapped: true, from_candidate: true })).rejects.toMatchObject(
      refused,
    );
  });

  test.each([
    ['nonsense', /PROJ reads “nonsense” as no CRS/],
    ['EPSG:999999', /as no CRS/],
    ['none', /names no CRS/],
    ['EPSG:5701', /is no CRS/],
  ])('%s is refused', async (src_crs, message) => {
    const { id } = await captured();
    await expect(edit(id, { src_crs })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(message),
    });
  });
});

describe('the way back', () => {
  test('makes the captured version current again, and the edit once more, without a new row', async () => {
    const { id } = await captured();
    const { payload_hash: original } = await standing(id);
    const edited = await edit(id, { repair: { method: 'linework' } });
    const reverted = await edit(id, { revert_to: original });
    expect(reverted).toMatchObject({ payload_hash: original, edited_by: null, added: false });
    expect(reverted.change).toBe(`back to payload ${original.slice(0, 12)}, as captured`);
    expect(await standing(id)).toMatchObject({ payload_hash: original, waits: true });
    expect((await edit(id, { revert_to: edited.payload_hash })).edited_by).toBe(edited.edited_by);
    const again = await edit(id, { revert_to: original });
    expect(await edit(id, { repair: { method: 'linework' } }, again)).toMatchObject({
      payload_hash: edited.payload_hash,
      added: false,
    });
    expect(await versions(id)).toHaveLength(2);
  });

  test('to a payload that is none of its own, or is current already, is refused', async () => {
    const [{ id }, other] = [await captured(), await captured({ nodata: '7' })];
    const { payload_hash } = await standing(id);
    const foreign = (await standing(other.id)).payload_hash;
    await expect(edit(id, { revert_to: foreign })).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(edit(id, { revert_to: payload_hash })).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('is also taken by a later failure with the payload as it was; the edit stays a version', async () => {
    const { id, fail } = await captured();
    const { payload_hash: original } = await standing(id);
    const edited = await edit(id, { repair: { method: 'linework' } });
    await fail();
    expect(await standing(id)).toMatchObject({ payload_hash: original, src_crs: 'EPSG:4326', waits: true });
    expect((await versions(id)).map((row) => row.edited_by)).toEqual([null, edited.edited_by]);
  });
});

describe('an edit is refused', () => {
  test('by version, the second of two at once', async () => {
    const { id } = await captured();
    const seen = await standing(id);
    const both = await Promise.allSettled([
      edit(id, { repair: { method: 'linework' } }, seen),
      edit(id, { src_crs: 'EPSG:3734' }, seen),
    ]);
    const refused = both.find((one) => one.status === 'rejected');
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(refused?.reason).toMatchObject({ code: 'conflict', details: { reason: 'changed' } });
    expect(await versions(id)).toHaveLength(2);
  });

  test.each([
    ['redriving', ", attempt_id = gen_random_uuid(), lease_until = now() + interval '1 minute'"],
    ['in_doubt', ''],
    ['redriven', ''],
    ['resolved', ", resolution = 'abandoned', resolved_at = now(), attempt_id = null"],
  ])('where it is %s, by name', async (state, rest) => {
    const { id } = await captured();
    await setState(id, 'redriving', ", attempt_id = gen_random_uuid(), lease_until = now() + interval '1 minute'");
    if (state !== 'redriving') await setState(id, state, `, lease_until = null ${rest}`);
    for (const change of [{ repair: { method: 'linework' as const } }, { src_crs: 'EPSG:3734' }])
      await expect(edit(id, change)).rejects.toMatchObject({ code: 'conflict', details: { reason: state } });
    expect(await versions(id)).toHaveLength(1);
  });

  test('where there is no such entry', async () => {
    const payload_hash = 'a'.repeat(64);
    await expect(edit('987654321', { revert_to: payload_hash }, { payload_hash, version: '1' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('in quarantine it is taken', async () => {
    const { id } = await captured();
    await setState(id, 'quarantined');
    expect(await edit(id, { src_crs: 'EPSG:3734' })).toMatchObject({ state: 'quarantined' });
  });
});

describe('two connections', () => {
  /** `first` has done its work and not committed when `second` meets its locks. */
  async function whileHeld<T>(
    statement: string,
    values: unknown[],
    second: () => Promise<T>,
  ): Promise<PromiseSettledResult<T>> {
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement, values);
      const late = Promise.allSettled([second()]);
      await Promise.race([lockWaits(database.pool), late]);
      await client.query('commit');
      return (await late)[0] as PromiseSettledResult<T>;
    } finally {
      client.release();
    }
  }

  test('an edit that meets a capture is refused: it started from what is no more', async () => {
    const { id } = await captured();
    const seen = await standing(id);
    const { rows } = await database.pool.query('select work_key from dlq.entry where id = $1', [id]);
    const failure = { work_key: rows[0].work_key, task_name: 'clip', code_version: 'v1', src_crs: 'EPSG:2' };
    const late = await whileHeld(
      'select dlq.capture($1::jsonb, decode($2, $3))',
      [JSON.stringify(failure), BOWTIE, 'hex'],
      () => edit(id, { repair: { method: 'linework' } }, seen),
    );
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
    expect(await standing(id)).toMatchObject({ src_crs: 'EPSG:2' });
  });

  test('a capture that meets an edit comes after it', async () => {
    const { id, fail } = await captured();
    const { payload_hash, version } = await standing(id);
    const hash = (await edit(id, { src_crs: 'EPSG:3734' })).payload_hash;
    await edit(id, { revert_to: payload_hash });
    const late = await whileHeld(
      "select l.*, dlq.use_payload($1, decode($2, 'hex'), 'test') from dlq.lock_editable($1) l",
      [id, hash],
      () => fail(),
    );
    expect(late.status).toBe('fulfilled');
    expect(await standing(id)).toMatchObject({ payload_hash, src_crs: 'EPSG:4326' });
    expect(Number((await standing(id)).version)).toBe(Number(version) + 4);
  });

  test('a claim that meets an edit claims nothing: what it was to send is another payload', async () => {
    const { id } = await captured();
    const { payload_hash, version } = await standing(id);
    const hash = (await edit(id, { src_crs: 'EPSG:3734' })).payload_hash;
    const seen = (await edit(id, { revert_to: payload_hash })).version;
    expect(Number(seen)).toBeGreaterThan(Number(version));
    const late = await whileHeld(
      "select l.*, dlq.use_payload($1, decode($2, 'hex'), 'test') from dlq.lock_editable($1) l",
      [id, hash],
      () =>
        claim(db, [{ entry_id: id, version: seen, attempt_id: randomUUID() }], {
          worker: 'test',
          operation_id: null,
          lease_ms: 60_000,
        }),
    );
    expect(late).toMatchObject({ status: 'fulfilled', value: [] });
    expect(await standing(id)).toMatchObject({ state: 'open', payload_hash: hash });
  });

  test('an edit that meets a claim is refused, and the redrive sends what was claimed', async () => {
    const { id } = await captured();
    const seen = await standing(id);
    const attempt_id = randomUUID();
    let late: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await db.transaction(async (tx) => {
      await claim(tx, [{ entry_id: id, version: seen.version, attempt_id }], {
        worker: 'test',
        operation_id: null,
        lease_ms: 60_000,
      });
      late = Promise.allSettled([edit(id, { src_crs: 'EPSG:3734' }, seen)]);
      await Promise.race([lockWaits(database.pool), late]);
    });
    expect((await late!)[0]).toMatchObject({
      status: 'rejected',
      reason: { code: 'conflict', details: { reason: 'redriving' } },
    });
    const [row] = await loadRedrives(db, [attempt_id]);
    expect(row).toMatchObject({ payload_hash: seen.payload_hash, edited_by: null });
  });
});
