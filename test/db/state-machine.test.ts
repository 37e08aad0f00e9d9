import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { expectAgreement } from './state-machine/agreement';
import { CAPTURE_MUTANTS, mutateCapture, mutatedDb, STATEMENT_MUTANTS } from './state-machine/mutants';
import { makeTasks } from './state-machine/world';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await makeTasks(database.db);
});
afterAll(() => database?.drop());

/** Fixed, so that every edge is known to be walked; another one explores further. */
const SEED = Number(process.env.DLO_TEST_SEED ?? 14);

describe('the statements and the pure state machine', () => {
  test('do the same to the same entries, command by command, in any order, along every edge', async () => {
    await expectAgreement(database.db, { seed: SEED, numRuns: 25 });
    const { rows } = await database.pool.query<{ edge: string }>(
      "select distinct from_state || '>' || to_state as edge from dlq.event where from_state <> to_state order by 1",
    );
    expect(rows.map((row) => row.edge)).toEqual([
      'in_doubt>open',
      'in_doubt>redriven',
      'in_doubt>redriving',
      'in_doubt>resolved',
      'open>quarantined',
      'open>redriving',
      'open>resolved',
      'quarantined>open',
      'quarantined>resolved',
      'redriven>in_doubt',
      'redriven>open',
      'redriven>resolved',
      'redriving>in_doubt',
      'redriving>open',
      'redriving>redriven',
      'redriving>resolved',
      'resolved>open',
    ]);
  });
});

/** Enough runs that a mistake is met; the first difference ends them. */
const HUNT = { seed: SEED, numRuns: 400, endOnFailure: true, interruptAfterTimeLimit: 30_000 } as const;

describe('a mistake in a statement is caught', () => {
  test.each(STATEMENT_MUTANTS)('$mistake', async (mutant) => {
    const mutated = await mutatedDb(database.url, mutant);
    try {
      await expect(expectAgreement(mutated.db, HUNT)).rejects.toThrow(/Property failed/);
      expect(mutated.applied()).toBeGreaterThan(0);
    } finally {
      await mutated.end();
    }
  });

  test.each(CAPTURE_MUTANTS)('$mistake', async (mutant) => {
    const own = await cloneDatabase();
    try {
      await makeTasks(own.db);
      expect(await mutateCapture(own.pool, mutant)).toBe(true);
      await expect(expectAgreement(own.db, HUNT)).rejects.toThrow(/Property failed/);
    } finally {
      await own.drop();
    }
  });
});
