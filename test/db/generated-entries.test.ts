import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateEntries } from '@/test/bench/generate/entries';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

const COUNT = 3000;
let one: TestDatabase;
let other: TestDatabase;
let indexes_before: unknown[];

beforeAll(async () => {
  [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);
  indexes_before = await indexesOf(one.pool);
  await generateEntries(one.pool, COUNT, { seed: 7 });
  await generateEntries(other.pool, COUNT, { seed: 7 });
});
afterAll(() => Promise.all([one?.drop(), other?.drop()]));

async function rowsOf(pool: pg.Pool, text: string): Promise<Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(text)).rows;
}

const indexesOf = (pool: pg.Pool) =>
  rowsOf(pool, `select indexname, indexdef from pg_indexes where schemaname = 'dlq' order by indexname`);

test('generated entries are whole: attempts equal occurrences, and every entry has its payload, state, diagnosis and event', async () => {
  const counts = await rowsOf(
    one.pool,
    `select count(*)::integer as entries, count(*) filter (where e.attempts = (select count(*) from dlq.occurrence o where o.entry_id = e.id))::integer as counted,
       count(p.entry_id)::integer as payloads, count(s.entry_id)::integer as states, count(d.entry_id)::integer as diagnoses, count(v.id)::integer as events
     from dlq.entry e
     left join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
     left join dlq.state s on s.entry_id = e.id left join dlq.diagnosis d on d.entry_id = e.id
     left join dlq.event v on v.entry_id = e.id and v.to_state = s.state`,
  );
  expect(counts).toEqual([
    { entries: COUNT, counted: COUNT, payloads: COUNT, states: COUNT, diagnoses: COUNT, events: COUNT },
  ]);
});

test('generated entries are skewed: incidents make a few signatures and places frequent', async () => {
  const [row] = await rowsOf(
    one.pool,
    `select max(n) > 20 * avg(n) as by_signature, count(*) > 100 as many from (select count(*) as n from dlq.entry group by signature) x`,
  );
  expect(row).toEqual({ by_signature: true, many: true });
});

test('asked for git commits, they have as many code versions as that, spread over their days', async () => {
  const many = await cloneDatabase();
  try {
    await generateEntries(many.pool, COUNT, { commits: 500 });
    const [row] = await rowsOf(
      many.pool,
      `select count(distinct code_version) between 400 and 500 as many, bool_and(code_version ~ '^[0-9a-f]{32}$') as hashes from dlq.entry`,
    );
    expect(row).toEqual({ many: true, hashes: true });
  } finally {
    await many.drop();
  }
});

test('the same seed gives the same entries, and the indexes and the next id are as a capture expects them', async () => {
  const text = `select work_key, e.failed_at, e.task_name, c.src_crs, c.unmappable_reason, s.state, s.cell
    from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo order by work_key`;
  expect(await rowsOf(one.pool, text)).toEqual(await rowsOf(other.pool, text));
  expect(await indexesOf(one.pool)).toEqual(indexes_before);
  const [captured] = await rowsOf(
    one.pool,
    `select (dlq.capture('{"work_key": "next", "task_name": "t"}')).entry_id::integer as id`,
  );
  expect(captured).toEqual({ id: COUNT + 1 });
});
