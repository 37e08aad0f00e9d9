import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capture, type Proposal } from '@/db/queries/capture';
import { DlqError } from '@/lib/contract/error';
import { readCapture } from '@/lib/ingest/read-capture';
import { refusedByDatabase } from '@/lib/ingest/refused-by-database';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { orphans } from '@/test/support/orphans';
import { MERGE_MUTANTS, type Mutant, mutateMerge } from './set-wise/mutants';
import { chunksOf, minute, proposalsOf, type Scenario, scenario } from './set-wise/scenario';
import { fed, holdings, lastRev, prepare, versions } from './set-wise/world';

let single: TestDatabase;
let merged: TestDatabase;
beforeAll(async () => {
  [single, merged] = [await cloneDatabase(), await cloneDatabase()];
});
afterAll(async () => {
  await single?.drop();
  await merged?.drop();
});

type Answer = { work_key: string; attempts: number; outcome: string } | 'refused';
const plain = (answer: Awaited<ReturnType<typeof storeChunk>>[number]): Answer =>
  answer instanceof DlqError
    ? 'refused'
    : { work_key: answer.work_key, attempts: answer.attempts, outcome: answer.outcome };

async function oneByOne(proposals: readonly Proposal[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const proposal of proposals) {
    try {
      answers.push(plain(await capture(single.db, proposal)));
    } catch (error) {
      if (!refusedByDatabase(error)) throw error;
      answers.push('refused');
    }
  }
  return answers;
}

let runs = 0;
/** Both ways over the same scenario, and all that they left. */
async function bothWays(given: Scenario, target: TestDatabase) {
  runs += 1;
  const run = `${process.pid}x${runs}`;
  const proposals = proposalsOf(run, given);
  const outcome = async (database: TestDatabase, store: () => Promise<Answer[]>) => {
    await prepare(database.pool, run, given);
    const [before, rev] = [await versions(database.pool, run), await lastRev(database.pool)];
    const answers = await store();
    const after = await versions(database.pool, run);
    const changed = [...after].filter(([key, version]) => version !== before.get(key)).map(([key]) => key);
    return {
      answers,
      changed: changed.sort(),
      fed: await fed(database.pool, run, rev),
      ...(await holdings(database.pool, run)),
    };
  };
  const expected = await outcome(single, () => oneByOne(proposals));
  const actual = await outcome(target, async () => {
    const answers: Answer[] = [];
    for (const chunk of chunksOf(proposals, given.cuts))
      answers.push(...(await storeChunk(target.db, chunk)).map(plain));
    return answers;
  });
  return { expected, actual };
}

test('a chunk stored at once leaves what its lines leave one by one, whatever their entries are in', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { expected, actual } = await bothWays(given, merged);
      expect(actual).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

describe('the comparison sees a merge that', () => {
  test.each(MERGE_MUTANTS)('$mistake', { timeout: 240_000 }, async (mutant: Mutant) => {
    const mutated = await cloneDatabase();
    try {
      expect(await mutateMerge(mutated.pool, mutant)).toBe(true);
      const found = await fc.check(
        fc.asyncProperty(scenario, async (given) => {
          const { expected, actual } = await bothWays(given, mutated);
          expect(actual).toEqual(expected);
        }),
        { numRuns: 200, endOnFailure: true },
      );
      expect(found.failed).toBe(true);
    } finally {
      await mutated.drop();
    }
  });
});

describe('two streams and single captures over the same keys', () => {
  const text = (key: number, capture_id: string, rest: object = {}) =>
    JSON.stringify({ work_key: `busy-${key}`, task_name: 't', capture_id, error_text: `failed ${key}`, ...rest });
  const read = (line: string) => readCapture(line, { via: 'http' });

  test('all are stored, each once: attempts are the occurrences', { timeout: 120_000 }, async () => {
    const random = (n: number) => fc.sample(fc.nat(n), 60);
    const ids: string[] = [];
    const lines = (rounds: number[]) =>
      rounds.map((key) => {
        const id = randomUUID();
        ids.push(id);
        return read(text(key, id, { code_version: `v${key % 5}`, params: { key: ids.length } }));
      });
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let round = 0; round < 25; round++) {
        if (writer < 2) {
          const chunk = lines(random(40 + round * 4));
          const answers = await storeChunk(merged.db, chunk);
          expect(answers.filter((answer) => answer instanceof DlqError)).toEqual([]);
          // the answer was lost: the same once more, while the other one is at these keys
          if (round % 5 === 0)
            expect((await storeChunk(merged.db, chunk)).map((again) => plain(again))).toEqual(
              chunk.map(({ work_key }) => expect.objectContaining({ work_key, outcome: 'duplicate' })),
            );
        } else for (const one of lines(random(40 + round * 4))) await capture(merged.db, one);
      }
    });
    await Promise.all(writers);
    const { rows } = await merged.pool.query(
      `select count(*) filter (where e.attempts <> o.n or s.entry_id is null or d.entry_id is null)::integer as wrong, sum(o.n)::integer as stored
       from dlq.entry e left join dlq.state s on s.entry_id = e.id left join dlq.diagnosis d on d.entry_id = e.id,
       lateral (select count(*) as n from dlq.occurrence o where o.entry_id = e.id) o where e.work_key like 'busy-%'`,
    );
    expect(rows[0]).toEqual({ wrong: 0, stored: ids.length });
  });

  test('the same chunk from two loaders at once counts once', async () => {
    for (let round = 0; round < 10; round++) {
      const chunk = Array.from({ length: 20 }, (_, i) => read(text(1000 + round * 20 + (i % 15), randomUUID())));
      const [a, b] = await Promise.all([storeChunk(merged.db, chunk), storeChunk(merged.db, [...chunk].reverse())]);
      const duplicates = [...a, ...b].filter(
        (answer) => !(answer instanceof DlqError) && answer.outcome === 'duplicate',
      );
      expect(duplicates).toHaveLength(20);
    }
  });

  test('one key for two tasks at once becomes an entry of each', async () => {
    for (let round = 0; round < 10; round++) {
      const of = (task_name: string) => read(text(5000 + round, randomUUID(), { task_name }));
      const answers = await Promise.all([storeChunk(merged.db, [of('one')]), storeChunk(merged.db, [of('two')])]);
      expect(new Set(answers.flat().map((answer) => !(answer instanceof DlqError) && answer.work_key)).size).toBe(2);
    }
  });
});

test('a capture_id sent again under another key is a duplicate of the first and makes no entry', async () => {
  const id = randomUUID();
  const of = (work_key: string) =>
    readCapture(JSON.stringify({ work_key, task_name: 't', capture_id: id }), { via: 'http' });
  const [first] = await storeChunk(merged.db, [of('kept')]);
  expect(await storeChunk(merged.db, [of('stray')])).toEqual([{ ...first, outcome: 'duplicate' }]);
  expect(await capture(merged.db, of('stray'))).toEqual({ ...first, outcome: 'duplicate' });
  expect((await merged.pool.query("select 1 from dlq.entry where work_key = 'stray'")).rows).toEqual([]);
});

test('a payload that becomes the current one again is diagnosed again', async () => {
  const of = (geom_wkt: string) =>
    readCapture(JSON.stringify({ work_key: 'back', task_name: 't', geom_wkt }), { via: 'http' });
  const waits = async () =>
    (
      await merged.pool.query(
        "select d.diagnosed_at is null as waits from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id where e.work_key = 'back'",
      )
    ).rows[0].waits;
  const diagnose = () => merged.pool.query('update dlq.diagnosis set diagnosed_at = clock_timestamp()');
  for (const store of [
    (proposal: Proposal) => capture(merged.db, proposal),
    (proposal: Proposal) => storeChunk(merged.db, [proposal]),
  ]) {
    await store(of('POINT(1 2)'));
    await store(of('POINT(3 4)'));
    await diagnose();
    await store(of('POINT(3 4)'));
    expect(await waits()).toBe(false);
    await store(of('POINT(1 2)'));
    expect(await waits()).toBe(true);
  }
});

test('a failure whose clock is more than a day ahead stays as given, and the next one is the current one', async () => {
  const ahead = new Date(Date.now() + 25 * 3_600_000).toISOString();
  const soon = new Date(Date.now() + 23 * 3_600_000).toISOString();
  const times = async (work_key: string) =>
    (
      await merged.pool.query(
        `select e.error_text, e.failed_at, s.failed_at as state_failed_at, e.attempts,
           (select max(o.failed_at) from dlq.occurrence o where o.entry_id = e.id) as newest_given
         from dlq.entry e join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
        [work_key],
      )
    ).rows[0];
  const doors = {
    one: (proposal: Proposal) => capture(merged.db, proposal),
    many: (proposal: Proposal) => storeChunk(merged.db, [proposal]),
  };
  for (const [door, store] of Object.entries(doors)) {
    const fail = (error_text: string, failed_at: string) =>
      store(
        readCapture(JSON.stringify({ work_key: `clock-${door}`, task_name: 't', error_text, failed_at }), {
          via: 'http',
        }),
      );
    await fail('ahead', ahead);
    await fail('real', minute(1));
    await fail('ahead again', ahead);
    const [real, given] = [new Date(minute(1)), new Date(ahead)];
    expect(await times(`clock-${door}`)).toEqual({
      error_text: 'real',
      failed_at: real,
      state_failed_at: real,
      attempts: 3,
      newest_given: given,
    });
    await fail('soon', soon);
    await fail('late', minute(2));
    expect(await times(`clock-${door}`)).toMatchObject({ error_text: 'soon', failed_at: new Date(soon), attempts: 5 });
  }
});

test('ids are drawn for new keys only', async () => {
  const of = (work_key: string) => readCapture(JSON.stringify({ work_key, task_name: 't' }), { via: 'http' });
  const [first] = await storeChunk(merged.db, [of('dense-1'), of('dense-1')]);
  await storeChunk(merged.db, [of('dense-1')]);
  const [next] = await storeChunk(merged.db, [of('dense-2')]);
  const idOf = (answer: unknown) => Number((answer as { id: string }).id);
  expect(idOf(next)).toBe(idOf(first) + 1);
});

test('all that these tests stored has its entry and its payload, and what had none would be counted', async () => {
  expect(await orphans(single.pool)).toEqual({});
  expect(await orphans(merged.pool)).toEqual({});
  await merged.pool.query(
    `with stray as (insert into dlq.diagnosis (entry_id) values (-1)), lost as (insert into dlq.event (entry_id, to_state, actor, version) values (-2, 'open', 't', 1)),
       late as (insert into dlq.payload (entry_id, payload_hash) values (-3, '\\x01')),
       adrift as (insert into dlq.state (entry_id, failed_at, combo) values (-5, now(), -1))
     insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, failure_class, error_class, signature)
       select gen_random_uuid(), id, '\\x01', now(), 't', 'oom', 'fatal', '' from unnest(array[-3, -4]) id`,
  );
  expect(await orphans(merged.pool)).toEqual({
    payload: 1,
    occurrence: 2,
    'occurrence without its payload': 1,
    event: 2, // the stray one, and that of the state
    diagnosis: 1,
    state: 1,
    'state without its combo': 1,
  });
  await expect(merged.pool.query('delete from dlq.combo')).rejects.toThrow('dlq.combo: delete is refused');
  await expect(merged.pool.query('update dlq.state set entry_id = -6 where entry_id = -5')).rejects.toThrow('refused');
});
