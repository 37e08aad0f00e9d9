import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '@/db/client';
import { abandon } from '@/db/queries/abandon';
import type { DlqError } from '@/lib/contract/error';
import { decideInDoubt } from '@/lib/redrive/decide-in-doubt';
import { type DispatchInput, dispatch } from '@/lib/redrive/dispatch';
import type { DispatchRecord } from '@/lib/redrive/give-back';
import { recordOutcome } from '@/lib/redrive/record-outcome';
import { sweep } from '@/lib/redrive/sweep';
import type { Target } from '@/lib/redrive/targets';
import { getTask } from '@/lib/tasks/get-task';
import { putTask } from '@/lib/tasks/put-task';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { answer, type Behaviour, TestTarget } from './redrive/target';
import {
  claimAll,
  failAgain,
  letLeasesRunOut,
  openEntries,
  seenNow,
  statesOf,
  type Unit,
} from './state-machine/entries';

const actor = { name: 'Ada', role: 'operator' as const };
const pipeline = new TestTarget();
let database: TestDatabase;
let db: Db;
let targets: Record<string, Target>;

const manifest = {
  code_versions: ['v1'],
  params_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  target: 'pipeline',
  idempotent: false,
};
const register = (task_name: string, change: Partial<Parameters<typeof putTask>[1]['manifest']> = {}) =>
  putTask({ db, actor }, { task_name, manifest: { ...manifest, ...change } });

beforeAll(async () => {
  database = await cloneDatabase();
  db = database.db;
  await pipeline.listen();
  targets = { pipeline: pipeline.target };
  await register('plain');
  await register('idempotent', { idempotent: true });
});
afterAll(async () => {
  await pipeline.close();
  await database?.drop();
});

async function redrive(units: readonly Unit[], change: Partial<DispatchInput> = {}) {
  const items = await seenNow(db, units);
  const input = {
    items,
    operation_id: null,
    reason: 'new version',
    worker: 'w1',
    timeout_ms: 2000,
    targets,
    ...change,
  };
  return dispatch({ db, actor }, input);
}
/** One entry whose target answers so, redriven once. */
async function redriveOne(behaviour: Behaviour, change: Partial<DispatchInput> = {}, task_name = 'plain') {
  const [unit] = await openEntries(db, 1, task_name);
  pipeline.behaviours.set(unit!.work_key, behaviour);
  const [result] = await redrive([unit!], change);
  const [state] = await statesOf(db, [unit!]);
  return { unit: unit!, result: result!, state: state!, sends: pipeline.of(unit!.work_key) };
}

describe('a redrive', () => {
  test('that succeeds resolves the entry as fixed, and its history says who, why and what', async () => {
    const { unit, state, sends } = await redriveOne(answer(200, { outcome: 'succeeded', message: 'done' }));
    expect(state).toMatchObject({ state: 'resolved', resolution: 'fixed', outcomes: ['succeeded'] });
    expect(sends).toHaveLength(1);
    const { rows } = await db.execute(
      sql`select from_state, to_state, actor, reason from dlq.event where entry_id = ${unit.id} order by id`,
    );
    expect(rows).toEqual([
      { from_state: null, to_state: 'open', actor: 'capture:sql', reason: 'captured' },
      { from_state: 'open', to_state: 'redriving', actor: 'Ada', reason: 'new version' },
      { from_state: 'redriving', to_state: 'redriving', actor: 'Ada', reason: 'about to be sent' },
      { from_state: 'redriving', to_state: 'resolved', actor: 'Ada', reason: 'the target says it succeeded' },
    ]);
  });

  test('carries the key, the attempt, a signature over its bytes and the exact payload', async () => {
    await register('exact', { code_versions: ['v7'], params_schema: { additionalProperties: true } });
    const capture = (key: string, params: string) => sql`
      select c.entry_id::text as id from dlq.capture(jsonb_build_object('work_key', ${key}::text, 'task_name', 'exact', 'code_version', 'v7',
        'srid', 4326, 'src_crs', 'EPSG:4326', 'source_uris', jsonb_build_array('s3://a/b.tif'), 'params_text', ${params}::text,
        'source_window', '{"col_off": 0.1, "row_off": 12345678901234567890, "width": 1, "height": 1}'::jsonb),
        decode('0101000000000000000000f87f000000000000f87f', 'hex')) c`;
    // jsonb refuses the first for \u0000; the second it holds, with all its digits
    for (const [key, params] of [
      ['clé nº 1', '{"text":"\\u0000","big":1e400}'],
      ['key 2', '{"big": 123456789012345678901234567890.5}'],
    ] as const) {
      const { rows } = await db.execute<{ id: string }>(capture(key, params));
      expect(await redrive([{ id: rows[0]!.id, work_key: key, task_name: 'exact' }])).toMatchObject([
        { outcome: 'succeeded' },
      ]);
      const [sent] = pipeline.of(key);
      expect(sent!.signed).toBe(true);
      expect(Buffer.from(String(sent!.headers['idempotency-key']), 'latin1').toString('utf8')).toBe(key);
      expect(sent!.headers['dlo-attempt-id']).toBe(sent!.redrive.attempt_id);
      expect(sent!.redrive).toMatchObject({
        idempotency_key: key,
        geom_wkb: '0101000000000000000000f87f000000000000f87f',
        src_crs: 'EPSG:4326',
        source_uris: ['s3://a/b.tif'],
      });
      expect(sent!.text).toContain(`"params":${params}`);
      expect(sent!.text).toContain('12345678901234567890');
    }
  });

  test('that is accepted waits for its outcome, and a late success fixes it', async () => {
    for (const behaviour of [
      answer(202, { outcome: 'failed' }),
      answer(200, 'OK'),
      answer(200, { outcome: 'accepted' }),
    ]) {
      const { unit, state, result } = await redriveOne(behaviour);
      expect(state).toMatchObject({ state: 'redriven', outcomes: [null] });
      const told = { entry_id: unit.id, attempt_id: result.attempt_id!, outcome: 'succeeded' as const };
      expect(await recordOutcome({ db, actor }, told)).toMatchObject({ applied: true, resolution: 'fixed' });
      expect(await recordOutcome({ db, actor }, told)).toMatchObject({ applied: false, resolution: 'fixed' });
      await expect(recordOutcome({ db, actor }, { ...told, outcome: 'failed' })).rejects.toMatchObject({
        code: 'conflict',
      });
    }
  });

  test('that fails again and is captured again is open with attempts raised', async () => {
    const { state } = await redriveOne(async (response, { redrive: { work_key, attempt_id, task_name, entry_id } }) => {
      await failAgain(db, { id: entry_id, work_key, task_name }, { attempt_id });
      answer(200, { outcome: 'failed' })(response, {} as never);
    });
    expect(state).toMatchObject({ state: 'open', attempts: 2, redrive_attempts: 1, outcomes: ['refailed'] });
  });

  test('that fails again and says only so is open too', async () => {
    const { state } = await redriveOne(answer(200, { outcome: 'failed', message: 'still broken' }));
    expect(state).toMatchObject({ state: 'open', attempts: 1, outcomes: ['refailed'] });
  });

  test('that is refused is open again with the target’s words, and abandoned at the cap, under one key', async () => {
    const { unit, result } = await redriveOne(answer(422, { outcome: 'rejected', message: 'no such tile set' }));
    expect(result).toMatchObject({ outcome: 'rejected', detail: 'HTTP 422: no such tile set' });
    await redrive([unit]);
    await redrive([unit]);
    expect((await statesOf(db, [unit]))[0]).toMatchObject({
      state: 'resolved',
      resolution: 'abandoned',
      resolution_reason: 'rejected at the cap of 3 redrives',
      redrive_total: 3,
    });
    const sends = pipeline.of(unit.work_key);
    expect(new Set(sends.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([unit.work_key]));
    expect(new Set(sends.map(({ redrive: { attempt_id } }) => attempt_id)).size).toBe(3);
    expect(await redrive([unit])).toMatchObject([{ outcome: null, reason: 'resolved' }]);
  });

  test('that is redirected is refused and not followed', async () => {
    const { state, result, sends } = await redriveOne((response) =>
      response.writeHead(307, { location: '/redrive' }).end(),
    );
    expect([state.state, result.outcome, sends.length]).toEqual(['open', 'rejected', 1]);
  });

  test.each<[string, Behaviour]>([
    ['times out', () => {}],
    ['is cut off', (response) => response.destroy()],
    ['ends in a 500', answer(500, 'oops')],
    ['ends in a 503', answer(503, '')],
  ])('that %s is in doubt: it may have run, and is not sent again', async (_name, behaviour) => {
    const { unit, state, sends } = await redriveOne(behaviour, { timeout_ms: 300 });
    expect(state).toMatchObject({ state: 'in_doubt', redrive_total: 1, outcomes: [null] });
    expect(await redrive([unit])).toMatchObject([{ outcome: null, reason: 'in_doubt' }]);
    expect(sends).toHaveLength(1);
  });

  test('that timed out and then succeeded is fixed', async () => {
    const { unit, result } = await redriveOne(() => {}, { timeout_ms: 200 });
    const told = { entry_id: unit.id, attempt_id: result.attempt_id!, outcome: 'succeeded' as const };
    expect(await recordOutcome({ db, actor }, told)).toEqual({ applied: true, state: 'resolved', resolution: 'fixed' });
  });

  test('in doubt is sent again under the same key where the target does not run one key twice', async () => {
    const { unit } = await redriveOne(() => {}, { timeout_ms: 200 }, 'idempotent');
    pipeline.behaviours.delete(unit.work_key);
    expect(await redrive([unit])).toMatchObject([{ outcome: 'succeeded' }]);
    expect((await statesOf(db, [unit]))[0]).toMatchObject({ resolution: 'fixed', outcomes: ['unknown', 'succeeded'] });
    expect(new Set(pipeline.of(unit.work_key).map(({ redrive: { idempotency_key } }) => idempotency_key)).size).toBe(1);
  });

  test('in doubt is decided by a person: it happened, or it did not', async () => {
    const both = [await redriveOne(() => {}, { timeout_ms: 200 }), await redriveOne(() => {}, { timeout_ms: 200 })];
    for (const [index, decision] of (['happened', 'did_not'] as const).entries()) {
      const [seen] = await seenNow(db, [both[index]!.unit]);
      const input = { ...seen!, decision, reason: 'looked at the output' };
      const decided = await decideInDoubt({ db, actor }, input);
      expect(decided.state).toBe(decision === 'happened' ? 'resolved' : 'open');
      const refused: DlqError = (await decideInDoubt({ db, actor }, input).catch(
        (error: DlqError) => error,
      )) as DlqError;
      expect([refused.code, refused.message]).toEqual(['conflict', expect.stringContaining('by Ada')]);
    }
  });
});

describe('a target that takes nothing', () => {
  test('that refuses connections burns no redrive', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const units = await openEntries(db, 5);
    const nowhere = { pipeline: { ...pipeline.target, url: `http://127.0.0.1:${port}/` } };
    const results = await redrive(units, { targets: nowhere, concurrency: 1 });
    expect(results.map((result) => result.outcome)).toEqual(Array(5).fill('never_sent'));
    expect(results[4]!.detail).toContain('takes nothing');
    for (const state of await statesOf(db, units))
      expect(state).toMatchObject({ state: 'open', redrive_attempts: 0, redrive_total: 0, outcomes: ['never_sent'] });
  });

  test('that says 429 counts one redrive, and the rest of the batch is not sent', async () => {
    const units = await openEntries(db, 4);
    for (const unit of units) pipeline.behaviours.set(unit.work_key, answer(429, 'slow down'));
    const results = await redrive(units, { concurrency: 1 });
    expect(results.map((result) => result.outcome)).toEqual(['rejected', 'never_sent', 'never_sent', 'never_sent']);
    expect(units.flatMap((unit) => pipeline.of(unit.work_key))).toHaveLength(1);
  });
});

describe('a batch', () => {
  test('answers for every item once: sent, or left with the reason', async () => {
    await register('strict', { params_schema: { properties: {} } });
    const [good, resolved, changed] = await openEntries(db, 3);
    const [unfaithful] = await openEntries(db, 1, 'strict');
    const [unknown] = await openEntries(db, 1, 'never registered');
    const units = [good!, resolved!, changed!, unfaithful!, unknown!];
    const items = await seenNow(db, units);
    await failAgain(db, changed!);
    await abandon(db, [items[1]!], 'no use');
    const recorded: DispatchRecord[] = [];
    const results = await redrive(units, {
      items,
      record: async (_tx, some) => void recorded.push(...some),
    });
    const reasons = Object.fromEntries(results.map((result) => [result.entry_id, result.reason ?? result.outcome]));
    expect(reasons).toEqual({
      [good!.id]: 'succeeded',
      [resolved!.id]: 'resolved',
      [changed!.id]: 'changed',
      [unfaithful!.id]: 'extra_param',
      [unknown!.id]: 'no_manifest',
    });
    expect(recorded.map((one) => [one.entry_id, one.outcome]).sort()).toEqual(
      units.map((unit) => [unit.id, unit === good ? 'sent' : 'skipped']).sort(),
    );
    expect((await statesOf(db, [unfaithful!]))[0]).toMatchObject({
      state: 'open',
      redrive_total: 0,
      outcomes: ['never_sent'],
    });
    expect(pipeline.of(unfaithful!.work_key)).toEqual([]);
  });

  test('of two workers at once sends every entry once', async () => {
    const units = await openEntries(db, 60);
    const items = await seenNow(db, units);
    const [first, second] = await Promise.all([
      redrive(units, { items, worker: 'w1' }),
      redrive(units, { items: [...items].reverse(), worker: 'w2' }),
    ]);
    const outcomes = [...first, ...second].filter((result) => result.outcome !== null);
    expect(outcomes).toHaveLength(60);
    for (const unit of units) expect(pipeline.of(unit.work_key)).toHaveLength(1);
    expect((await statesOf(db, units)).every((state) => state.resolution === 'fixed')).toBe(true);
  });

  test('that is stopped sends nothing more and burns nothing', async () => {
    const units = await openEntries(db, 3);
    const results = await redrive(units, { signal: AbortSignal.abort() });
    expect(results.map((result) => result.outcome)).toEqual(Array(3).fill('never_sent'));
    expect((await statesOf(db, units)).map((state) => state.state)).toEqual(['open', 'open', 'open']);
  });
});

describe('a worker that dies', () => {
  test('three times with an entry unsent gets it quarantined, and the history says why', async () => {
    const units = await openEntries(db, 1);
    for (let deaths = 1; deaths <= 3; deaths++) {
      await claimAll(db, units);
      await letLeasesRunOut(db, units);
      await sweep({ db, worker: 'w2' });
      expect((await statesOf(db, units))[0]).toMatchObject({
        state: deaths < 3 ? 'open' : 'quarantined',
        worker_deaths: deaths,
        redrive_total: 0,
      });
    }
    const { rows } = await db.execute(
      sql`select reason from dlq.event where entry_id = ${units[0]!.id} order by id desc limit 1`,
    );
    expect(rows[0]?.reason).toContain('quarantined');
  });

  test('with one entry does not take its batch with it: that entry goes alone, and one send clears it', async () => {
    const units = await openEntries(db, 3);
    await claimAll(db, units.slice(0, 1));
    await letLeasesRunOut(db, units);
    await sweep({ db, worker: 'w2' });
    const commits: number[] = [];
    await redrive(units, {
      record: async (_tx, some) => void commits.push(some.filter((one) => one.outcome === 'sent').length),
    });
    expect(commits.filter((count) => count > 0)).toEqual([2, 1]);
    expect((await statesOf(db, units)).map((state) => state.worker_deaths)).toEqual([0, 0, 0]);
  });

  test('an accepted redrive that nobody confirms is in doubt', async () => {
    const { unit } = await redriveOne(answer(202, ''));
    await sweep({ db, worker: 'w2' }, { confirm_ms: 0 });
    expect((await statesOf(db, [unit]))[0]).toMatchObject({ state: 'in_doubt' });
  });
});

describe('an outcome', () => {
  test('of an attempt that the entry does not have is not found', async () => {
    const [unit] = await openEntries(db, 1);
    const { result } = await redriveOne(answer(202, ''));
    const told = { entry_id: unit!.id, attempt_id: result.attempt_id!, outcome: 'succeeded' as const };
    await expect(recordOutcome({ db, actor }, told)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of an attempt that was not sent is a conflict', async () => {
    const units = await openEntries(db, 1);
    const [claimed] = await claimAll(db, units);
    const told = { entry_id: units[0]!.id, attempt_id: claimed!.attempt_id, outcome: 'succeeded' as const };
    await expect(recordOutcome({ db, actor }, told)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a task', () => {
  test('is registered, replaced and read', async () => {
    await register('parcels', { owner: 'geo team' });
    await register('parcels', { code_versions: ['v1', 'v2'] });
    expect(await getTask({ db }, { task_name: 'parcels' })).toMatchObject({
      ...manifest,
      code_versions: ['v1', 'v2'],
      owner: null,
      updated_by: 'Ada',
    });
    await expect(getTask({ db }, { task_name: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('whose params schema cannot be used is refused, naming what is wrong', async () => {
    const refused = register('broken', { params_schema: { propertis: {} } });
    await expect(refused).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('propertis'),
    });
  });
});
