import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { capture } from '@/db/queries/capture';
import { reopen } from '@/db/queries/reopen';
import { resolve } from '@/db/queries/resolve';
import type { Filter } from '@/lib/contract/filter';
import type { List, Triage } from '@/lib/contract/triage';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { startTriageIndex, stopTriageIndex, type TriageIndexThread } from '@/lib/follow/triage-index';
import { indexQuestion } from '@/lib/triage/index-query';
import { listByIndex, pageOrder } from '@/lib/triage/list-by-index';
import { type ListInput, listBySql } from '@/lib/triage/list-by-sql';
import { type PageOrder, pageStart } from '@/lib/triage/page-order';
import { tile, tileBySql } from '@/lib/triage/tile';
import { triageByIndex } from '@/lib/triage/triage-by-index';
import { triageBySql } from '@/lib/triage/triage-by-sql';
import type { TriageContext } from '@/lib/triage/triage-context';
import { someFilter, someRows } from '@/test/db/triage/filter-model';
import { insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { decodeMvt } from '@/test/support/decode-mvt';

const SEED = Number(process.env.DLO_TEST_SEED ?? 5);
const ROWS = 150;
/** Before each round the data is changed; its cases then see one revision. */
const ROUNDS = 20;
const CASES = 50;
/** Cases that are compared at the same time. */
const SIDE_BY_SIDE = 4;

let database: TestDatabase;
let index: TriageIndexThread;
beforeAll(async () => {
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  database = await cloneDatabase();
  const [rows] = fc.sample(someRows(ROWS), { seed: SEED, numRuns: 1 });
  await insertRows(database.pool, rows ?? []);
  await database.pool.query(`select setval('dlq.entry_id', ${ROWS})`);
  index = startTriageIndex({ database_url: database.url });
  await index.settled();
});
afterAll(async () => {
  await stopTriageIndex();
  await database?.drop();
});

interface Case {
  role: 'viewer' | 'operator';
  filter: Filter;
  order: PageOrder;
  tile: { z: number; column: number; row: number };
}

const someCase = fc.record<Case>({
  role: fc.constantFrom('viewer', 'operator'),
  filter: someFilter(ROWS),
  order: fc.record({
    sort: fc.constantFrom('failed_at', 'failed_at', 'first_seen', 'attempts', 'tile_distance'),
    dir: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 9 }),
    cursor: fc.constant(null),
    at: fc.constant(null),
  }),
  tile: fc.record({
    z: fc.constantFrom(0, 0, 1, 2, 5, 12),
    column: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    row: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  }),
});

test('whatever is asked, the index answers what the database answers, after whatever was changed by any door', async () => {
  const cases = fc.sample(someCase, { seed: SEED, numRuns: ROUNDS * CASES });
  for (let round = 0; round < ROUNDS; round += 1) {
    await change(round);
    const waiting = cases.slice(round * CASES, (round + 1) * CASES);
    const work = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop())
        await (waiting.length % 2 === 0 ? compareCounts(one) : comparePlaces(one));
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }
  // each was answered by the index, none fell back
  expect(index.durations.by.get('triage')?.count).toBe(cases.length / 2);
  expect(index.durations.by.get('tile')?.count).toBe(cases.length / 2);
}, 240_000);

/** Totals, facets, histogram, what is not on the map, signatures and the first page. */
async function compareCounts({ role, filter, order }: Case): Promise<void> {
  const ctx: TriageContext = { db: database.db, actor: { name: 'alex', role } };
  const input = { filter, ...order };
  const [here, there] = await Promise.all([triageByIndex(ctx, input), triageBySql(ctx, input)]);
  expect(plain(here), JSON.stringify({ role, ...input })).toEqual(plain(there));
}

/** A tile's cells or points, and pages behind and before the first. */
async function comparePlaces({ role, filter, order, tile: { z, column, row } }: Case): Promise<void> {
  const ctx: TriageContext = { db: database.db, actor: { name: 'alex', role } };
  const address = { z, x: Math.floor(column * 2 ** z), y: Math.floor(row * 2 ** z), filter, known: [] };
  const said = JSON.stringify({ role, filter, order, z, column, row });
  const [made, expected] = await Promise.all([tile(ctx, address), tileBySql(ctx, address)]);
  expect(decodeMvt(made.mvt!), said).toEqual(decodeMvt(expected.mvt!));

  let cursor: string | null = null;
  for (const way of ['next_cursor', 'next_cursor', 'prev_cursor', 'prev_cursor'] as const) {
    const input: ListInput = { filter, ...order, cursor };
    const [page, expected]: [List | null, List] = await Promise.all([listByIndex(ctx, input), listBySql(ctx, input)]);
    expect(page, said).toEqual(expected);
    if (order.sort === 'failed_at')
      expect(await idsByIndex(ctx, input), said).toEqual(expected.items.map(({ id }) => id));
    cursor = expected[way];
    if (cursor === null) return;
  }
}

/** The page's ids from the index itself: the verb walks the database's index where a page is soon found there. */
async function idsByIndex(ctx: TriageContext, input: ListInput): Promise<string[]> {
  const { query } = await indexQuestion(ctx, index, input.filter);
  const start = pageStart(input);
  const back = start?.back ?? false;
  const page = pageOrder({ ...input, after: start?.after ?? null, back });
  const ids = Array.from((await index.ask('page', { query, page }))?.ids ?? [], String);
  return back ? ids.reverse() : ids;
}

/** Without the moment, and without what the last bit of a double is of sines and logarithms of two languages. */
function plain(answer: Triage | null) {
  const rounded = (box: number[] | null | undefined) => box?.map((degrees) => Number(degrees.toFixed(11)));
  return { ...answer, as_of: '', extent: rounded(answer?.extent), focus: rounded(answer?.focus) };
}

/** A few changes by every door that entries are changed by. */
async function change(round: number): Promise<void> {
  const { db, pool } = database;
  const longitude = ((round * 37) % 360) - 180;
  const wkb = Buffer.alloc(21);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(1, 1);
  wkb.writeDoubleLE(longitude, 5);
  wkb.writeDoubleLE(((round * 17) % 160) - 80, 13);
  for (const work_key of [`new#${round}`, `new#${Math.floor(round / 2)}`]) {
    const p = {
      work_key,
      task_name: `task_${round % 3}`,
      failure_class: round % 4 === 0 ? 'unknown' : 'crs_mismatch',
      error_text: `part ${round % 5} broke`,
      src_crs: 'EPSG:4326',
      sensitive: round % 5 === 0,
      code_version: `c${round}`,
    };
    await capture(db, { p: JSON.stringify(p), wkb, work_key });
  }
  if (round % 2 === 0) await diagnoseBatch(db);
  const seen = (state: string) =>
    pool
      .query<{ entry_id: string; version: string }>(
        `select entry_id::text, version::text from dlq.state where state = $1 order by (entry_id * ${round + 7}) % 101 limit 4`,
        [state],
      )
      .then(({ rows }) => rows);
  await resolve(db, await seen('open'), { resolution: 'fixed', reason: 'tried' });
  await reopen(db, await seen('resolved'));
  await pool.query(
    `update dlq.state set state = 'quarantined', version = version + 1
     where entry_id in (select entry_id from dlq.state where state = 'open' order by (entry_id * ${round + 3}) % 89 limit 2)`,
  );
}
