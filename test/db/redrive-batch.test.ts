import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { abandon } from '@/db/queries/abandon';
import type { DispatchRecord } from '@/lib/redrive/give-back';
import { recordOutcome } from '@/lib/redrive/record-outcome';
import { sweep } from '@/lib/redrive/sweep';
import { getTask } from '@/lib/tasks/get-task';
import { actor, db, manifest, pipeline, redrive, redriveOne, register } from './redrive/harness';
import { answer } from './redrive/target';
import { claimAll, failAgain, letLeasesRunOut, openEntries, seenNow, statesOf } from './state-machine/entries';

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
