import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTriageIndex, stopTriageIndex, type TriageIndexThread } from '@/lib/follow/triage-index';
import { readPageOrder } from '@/lib/triage/page-order';
import { tile } from '@/lib/triage/tile';
import { triage } from '@/lib/triage/triage';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
let index: TriageIndexThread;
const actor = { name: 'alex', role: 'operator' as const };
const ask = () => triage({ db: database.db, actor }, { filter: {}, ...readPageOrder(new URLSearchParams()) });

beforeAll(async () => {
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  database = await cloneDatabase();
  await insertRows(database.pool, [1, 2, 3].map(blankRow));
  index = startTriageIndex({ database_url: database.url, first_wait_ms: 1 });
  await index.settled();
});
afterAll(async () => {
  await stopTriageIndex();
  await database.drop();
});

/** How many answers to such questions the index has given. */
const answers = (verb: string) => index.durations.by.get(verb)?.count ?? 0;

test('the index answers, and whoever changed something sees it in the next answer', async () => {
  expect((await ask()).total).toBe(3);
  await insertRows(database.pool, [blankRow(4)]);
  const answer = await ask();
  expect(answer.total).toBe(4);
  expect(answer.items.map(({ id }) => id)).toEqual(['4', '3', '2', '1']);
  expect(answers('triage')).toBe(2);
  await database.pool.query(
    `update dlq.state set state = 'resolved', resolution = 'fixed', resolved_at = now(), version = version + 1 where entry_id = 4`,
  );
  expect((await ask()).total).toBe(3);
});

test('a tile that is known already is not made again, until something changes', async () => {
  const input = { z: 0, x: 0, y: 0, filter: {} };
  const first = await tile({ db: database.db, actor }, { ...input, known: [] });
  expect(first.mvt?.length).toBeGreaterThan(0);
  expect(await tile({ db: database.db, actor }, { ...input, known: ['W/"other"', first.etag] })).toEqual({
    etag: first.etag,
    mvt: null,
  });
  await insertRows(database.pool, [blankRow(5)]);
  const changed = await tile({ db: database.db, actor }, { ...input, known: [first.etag] });
  expect(changed.etag).not.toBe(first.etag);
  expect(changed.mvt).not.toBeNull();
  expect(answers('tile')).toBe(3);
});

test('a viewer’s tile is not known by an operator’s tag', async () => {
  const input = { z: 0, x: 0, y: 0, filter: {} };
  const { etag } = await tile({ db: database.db, actor }, { ...input, known: [] });
  const viewer = { name: 'vi', role: 'viewer' as const };
  expect((await tile({ db: database.db, actor: viewer }, { ...input, known: [etag] })).mvt).not.toBeNull();
});

test('who has gone gets no answer', async () => {
  const gone = new AbortController();
  const asked = index.ask('revision', {}, gone.signal);
  gone.abort();
  expect(await asked).toBeNull();
  expect(answers('revision')).toBe(0);
});

test('a thread that ends is started anew, and the database answers meanwhile', async () => {
  await index.crash();
  expect(index.state).toBe('loading');
  const counted = answers('triage');
  expect((await ask()).total).toBeGreaterThan(0);
  expect(answers('triage')).toBe(counted);
  await index.settled();
  expect(index.state).toBe('ready');
  expect((await ask()).total).toBeGreaterThan(0);
  expect(answers('triage')).toBe(counted + 1);
  expect(index.restarts).toBe(1);
});

test('what is asked when the thread ends is answered by the database', async () => {
  const asked = ask();
  const [answer] = await Promise.all([asked, index.crash()]);
  expect(answer.total).toBeGreaterThan(0);
});

test('an id that the index cannot hold turns it off, and the database answers', async () => {
  await insertRows(database.pool, [{ ...blankRow(6), id: '5000000000' }]);
  const answer = await ask();
  expect(answer.items[0]?.id).toBe('5000000000');
  await index.settled();
  expect(index.state).toBe('off');
  expect(index.off).toMatch(/5000000000/);
});
