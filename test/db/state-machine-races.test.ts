import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Tx } from '@/db/client';
import { abandon } from '@/db/queries/abandon';
import { claim } from '@/db/queries/claim';
import { intend } from '@/db/queries/intend';
import { quarantine } from '@/db/queries/quarantine';
import { settle } from '@/db/queries/settle';
import { sweep } from '@/db/queries/sweep';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { lockWaits } from '../support/lock-waits';
import { orphans } from '../support/orphans';
import {
  CLAIM,
  claimAll,
  failAgain,
  letLeasesRunOut,
  openEntries,
  seenNow,
  sendAll,
  statesOf,
} from './state-machine/entries';
import { makeTasks } from './state-machine/world';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneDatabase();
  db = database.db;
  await makeTasks(db);
});
afterAll(() => database?.drop());

/** `first` has done its work and not committed when `second` meets its locks; then it commits. Both answers. */
async function race<A, B>(first: (tx: Tx) => Promise<A>, second: (db: Db) => Promise<B>): Promise<[A, B]> {
  let late: Promise<B> | undefined;
  const early = await db.transaction(async (tx) => {
    const answer = await first(tx);
    late = second(db);
    await Promise.race([lockWaits(database.pool), late]);
    return answer;
  });
  return [early, await late!];
}

const attempts = (seen: { entry_id: string; version: string }[]) =>
  seen.map((item) => ({ ...item, attempt_id: randomUUID() }));

describe('of two at once exactly one wins', () => {
  test('two claims of the same entries', async () => {
    const units = await openEntries(db, 3);
    const seen = await seenNow(db, units);
    const [first, second] = await race(
      (tx) => claim(tx, attempts(seen), CLAIM),
      (other) => claim(other, attempts(seen), CLAIM),
    );
    expect([first.length, second.length]).toEqual([3, 0]);
    expect((await statesOf(db, units)).map((row) => row.outcomes)).toEqual([[null], [null], [null]]);
  });

  test('eight claims in any order of ids', async () => {
    const units = await openEntries(db, 40);
    const seen = await seenNow(db, units);
    const won = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const turned = [...seen.slice(n * 5), ...seen.slice(0, n * 5)];
        return claim(db, attempts(n % 2 ? turned.reverse() : turned), CLAIM);
      }),
    );
    expect(
      won
        .flat()
        .map((row) => row.entry_id)
        .sort(),
    ).toEqual(units.map((unit) => unit.id).sort());
  });

  test.each(['claim', 'abandon'] as const)('a claim and an abandonment, the %s first', async (winner) => {
    const units = await openEntries(db, 1);
    const seen = await seenNow(db, units);
    const claiming = (tx: Db | Tx) => claim(tx, attempts(seen), CLAIM);
    const abandoning = (tx: Db | Tx) => abandon(tx, seen, 'no use');
    const [first, second] = winner === 'claim' ? await race(claiming, abandoning) : await race(abandoning, claiming);
    expect([first.length, second.length]).toEqual([1, 0]);
    expect((await statesOf(db, units))[0]).toMatchObject(
      winner === 'claim' ? { state: 'redriving', cancel_requested: false } : { state: 'resolved', outcomes: [] },
    );
  });

  test('an abandonment asked for before the intent: it is not sent', async () => {
    const units = await openEntries(db, 1);
    const claimed = await claimAll(db, units);
    const seen = await seenNow(db, units);
    const [asked, intended] = await race(
      (tx) => abandon(tx, seen, 'no use'),
      (other) => intend(other, claimed, 1000),
    );
    expect([asked.length, intended.length]).toEqual([1, 0]);
    await settle(db, [{ ...claimed[0]!, outcome: 'never_sent', answer: null }]);
    expect((await statesOf(db, units))[0]).toMatchObject({
      state: 'resolved',
      resolution: 'abandoned',
      resolution_reason: 'no use',
      redrive_total: 0,
      outcomes: ['cancelled'],
    });
  });

  test('two intents of one attempt: one send', async () => {
    const units = await openEntries(db, 2);
    const claimed = await claimAll(db, units);
    const [first, second] = await race(
      (tx) => intend(tx, claimed, 1000),
      (other) => intend(other, claimed, 1000),
    );
    expect([first.length, second.length]).toEqual([2, 0]);
    expect((await statesOf(db, units)).map((row) => row.redrive_total)).toEqual([1, 1]);
  });

  test('the failure of a redrive captured while its success is being settled', async () => {
    const [unit] = await openEntries(db, 1);
    const [sent] = await sendAll(db, [unit!]);
    const { attempt_id } = sent!;
    const [settled, captured] = await race(
      (tx) => settle(tx, [{ entry_id: unit!.id, attempt_id, outcome: 'succeeded', answer: null }]),
      (other) => failAgain(other, unit!, { attempt_id }),
    );
    expect([settled.length, captured.outcome]).toEqual([1, 'reopened']);
    expect((await statesOf(db, [unit!]))[0]).toMatchObject({ state: 'open', attempts: 2, outcomes: ['succeeded'] });
  });

  test('a success settled while the failure of the redrive is being captured', async () => {
    const [unit] = await openEntries(db, 1);
    const [sent] = await sendAll(db, [unit!]);
    const { attempt_id } = sent!;
    const [captured, settled] = await race(
      (tx) => failAgain(tx, unit!, { attempt_id }),
      (other) => settle(other, [{ entry_id: unit!.id, attempt_id, outcome: 'succeeded', answer: null }]),
    );
    expect([captured.outcome, settled.length]).toEqual(['repeated', 0]);
    expect((await statesOf(db, [unit!]))[0]).toMatchObject({ state: 'open', attempts: 2, outcomes: ['refailed'] });
  });

  test('a sweep passes over what is being intended, and the intent is sent', async () => {
    const units = await openEntries(db, 1);
    const claimed = await claimAll(db, units);
    const [intended, swept] = await race(
      (tx) => intend(tx, claimed, 30_000),
      (other) => sweep(other, { kind: 'unsent', confirm_ms: 0 }),
    );
    expect([intended.length, swept.length]).toEqual([1, 0]);
  });

  test('an intent that meets a sweep of its expired lease is not sent', async () => {
    const units = await openEntries(db, 1);
    const claimed = await claimAll(db, units);
    await letLeasesRunOut(db, units);
    const [swept, intended] = await race(
      (tx) => sweep(tx, { kind: 'unsent', confirm_ms: 0 }),
      (other) => intend(other, claimed, 1000),
    );
    expect([swept.length, intended.length]).toEqual([1, 0]);
    expect((await statesOf(db, units))[0]).toMatchObject({ state: 'open', redrive_total: 0, outcomes: ['never_sent'] });
  });
});

describe('nobody deadlocks', () => {
  test('a claim waits for a capture of the same entry and loses to it', async () => {
    const [unit] = await openEntries(db, 1);
    const seen = await seenNow(db, [unit!]);
    const [captured, claimed] = await race(
      (tx) => failAgain(tx, unit!),
      (other) => claim(other, attempts(seen), CLAIM),
    );
    expect([captured.outcome, claimed.length]).toEqual(['repeated', 0]);
  });

  test('who holds a state can write its event while a capture of the same entry waits for it', async () => {
    const [unit] = await openEntries(db, 1);
    const seen = await seenNow(db, [unit!]);
    let captured: Promise<{ outcome: string }> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from dlq.state where entry_id = ${unit!.id} for update`);
      captured = failAgain(db, unit!);
      await lockWaits(database.pool);
      expect(await quarantine(tx, seen)).toHaveLength(1);
    });
    expect((await captured!).outcome).toBe('repeated');
    expect((await statesOf(db, [unit!]))[0]).toMatchObject({ state: 'quarantined', attempts: 2 });
  });

  test('captures, claims, abandonments and sweeps of the same twenty entries, eight at a time', async () => {
    const units = await openEntries(db, 20);
    const works: ((n: number) => Promise<unknown>)[] = [
      (n) => failAgain(db, units[n % units.length]!),
      () => sendAll(db, [...units].reverse()),
      () =>
        seenNow(db, units).then((seen) =>
          abandon(
            db,
            seen.filter((_, index) => index % 7 === 0),
            'no use',
          ),
        ),
      () => sweep(db, { kind: 'unanswered', confirm_ms: 0 }),
    ];
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; n < 20; n++) await works[(worker + n) % works.length]!(worker * 3 + n);
      }),
    );
    const { rows } = await db.execute<{ alive: number }>(sql`
      select count(*)::integer as alive from dlq.redrive where ended_at is null group by entry_id order by 1 desc limit 1`);
    expect(rows[0]?.alive ?? 0).toBeLessThanOrEqual(1);
    expect(await orphans(database.pool)).toEqual({});
  });
});
