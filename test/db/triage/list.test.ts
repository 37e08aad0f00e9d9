import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listPage } from '@/db/queries/list-page';
import type { Filter } from '@/lib/contract/filter';
import { type List, listSchema, SORTS, type Sort, TIME_SORTS } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { list } from '@/lib/triage/list';
import { readPageOrder } from '@/lib/triage/page-order';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { someRows } from './filter-model';
import { insertRows, type Row } from './rows';

let database: TestDatabase;
let rows: Row[];
const PAGE = 19;

beforeAll(async () => {
  database = await cloneDatabase();
  rows = (fc.sample(someRows(120), { numRuns: 1, seed: 3 })[0] ?? []).map((row, index) => ({
    ...row,
    state: 'open',
    // many equal values, and times that no calendar of the browser holds
    failed_at:
      ['infinity', '-infinity', '0044-03-15 00:00:00.5+00 BC', '44000-01-01T00:00:00Z', '1969-12-31T23:59:59.999999Z'][
        index
      ] ?? `2026-11-${10 + (index % 7)}T00:00:00.${index % 3}Z`,
    first_seen: `2026-10-${10 + (index % 5)}T00:00:00Z`,
  }));
  await insertRows(database.pool, rows);
  // ties, none, and a double that takes all its digits
  await database.pool.query(
    `update dlq.state set tile_distance_m = (array[null, 0, 12.5, 12.5, 1579000.2500000002, null, 1e-7])[1 + entry_id % 7]`,
  );
});
afterAll(() => database?.drop());

interface Asked {
  limit?: number;
  cursor?: string | null;
  at?: string;
  filter?: Filter;
  role?: Role;
}

async function page(sort: Sort, dir: 'asc' | 'desc', asked: Asked = {}): Promise<List> {
  const { limit = PAGE, cursor = null, at = null, filter = {}, role = 'operator' } = asked;
  const answer = await list(
    { db: database.db, actor: { name: 'someone', role } },
    { filter, sort, dir, limit, cursor, at },
  );
  return listSchema.parse(answer);
}

const idsOf = ({ items }: List) => items.map(({ id }) => id);

/** Every page from here to the end of the list, forwards or back, as ids in the order of the list. */
async function allPages(sort: Sort, dir: 'asc' | 'desc', from: List, way: 'next' | 'prev', asked: Asked = {}) {
  let ids = idsOf(from);
  for (let cursor = from[`${way}_cursor`]; cursor !== null; ) {
    const answer: List = await page(sort, dir, { ...asked, cursor });
    ids = way === 'next' ? [...ids, ...idsOf(answer)] : [...idsOf(answer), ...ids];
    cursor = answer[`${way}_cursor`];
  }
  return ids;
}

/** The whole list as one plain statement orders it. */
async function inOrder(sort: Sort, dir: 'asc' | 'desc', role: Role = 'operator'): Promise<string[]> {
  const shown = role === 'viewer' ? 'case when not e.sensitive then s.tile_distance_m end' : 's.tile_distance_m';
  const column = { failed_at: 's.failed_at', first_seen: 'e.first_seen', attempts: 'e.attempts', tile_distance: shown };
  const { rows: ordered } = await database.pool.query<{ id: string }>(
    `select e.id::text as id from dlq.entry e join dlq.state s on s.entry_id = e.id
     order by ${column[sort]} ${dir} nulls last, e.id ${dir}`,
  );
  return ordered.map(({ id }) => id);
}

describe('the list', () => {
  for (const sort of SORTS)
    for (const dir of ['asc', 'desc'] as const)
      test(`gives every entry once, page after page and back again, by ${sort} ${dir}`, async () => {
        const wanted = await inOrder(sort, dir);
        const first = await page(sort, dir);
        expect(first.prev_cursor).toBeNull();
        expect(await allPages(sort, dir, first, 'next')).toEqual(wanted);
        let last = first;
        while (last.next_cursor !== null) last = await page(sort, dir, { cursor: last.next_cursor });
        expect(await allPages(sort, dir, last, 'prev')).toEqual(wanted);
        const middle = await page(sort, dir, { cursor: first.next_cursor });
        const back = await page(sort, dir, { cursor: middle.prev_cursor });
        expect(idsOf(back)).toEqual(wanted.slice(0, PAGE));
        expect(back.next_cursor).toBe(first.next_cursor);
      });

  for (const dir of ['asc', 'desc'] as const)
    test(`shows a viewer by no order how far a sensitive entry lies from its tile, ${dir}`, async () => {
      const answer = await page('tile_distance', dir, { role: 'viewer' });
      expect(await allPages('tile_distance', dir, answer, 'next', { role: 'viewer' })).toEqual(
        await inOrder('tile_distance', dir, 'viewer'),
      );
    });

  test('gives the same pages of a set of ids, of a filter that the walk finds and of one too rare for it', async () => {
    for (const sort of SORTS)
      for (const dir of ['asc', 'desc'] as const) {
        const wanted = (await inOrder(sort, dir)).filter((id) => Number(id) % 3 === 0);
        const asked = { sort, dir, limit: 9, after: null, role: 'operator' as const };
        const chosen = wanted.toSorted();
        for (const [of, most_walked] of [
          [{ ids: chosen }],
          [{ filter: { ids: chosen } }],
          [{ filter: { ids: chosen } }, 5],
        ] as const) {
          const input = { ...asked, of, ...(most_walked ? { most_walked } : {}) };
          const start = await listPage(database.db, input);
          const last = start.at(-1);
          if (!last) throw new Error('no rows');
          const after = { value: last.after, id: last.id };
          const rest = await listPage(database.db, { ...input, after, limit: 500 });
          const before = await listPage(database.db, { ...input, after, back: true, limit: 500 });
          expect([...start, ...rest].map(({ id }) => id)).toEqual(wanted);
          expect(before.map(({ id }) => id)).toEqual(wanted.slice(0, 8));
        }
      }
  });

  describe('entered at a moment', () => {
    test('begins with the first entry at or before it, newest first, and goes on in both directions', async () => {
      for (const sort of TIME_SORTS) {
        const at = sort === 'failed_at' ? '2026-11-12T00:00:00.1Z' : '2026-10-12T00:00:00Z';
        const entered = await page(sort, 'desc', { at });
        expect(entered.items[0]?.[sort]).toBe(
          new Date(at).toISOString().replace('.000Z', '.000000Z').replace('.100Z', '.100000Z'),
        );
        const wanted = await inOrder(sort, 'desc');
        expect(await allPages(sort, 'desc', entered, 'next')).toEqual(
          wanted.slice(wanted.indexOf(idsOf(entered)[0] ?? '')),
        );
        const before = await page(sort, 'desc', { cursor: entered.prev_cursor });
        expect(before.items.every((item) => item[sort] > at)).toBe(true);
        expect([...(await allPages(sort, 'desc', before, 'prev')), ...idsOf(entered)]).toEqual(
          wanted.slice(0, wanted.indexOf(idsOf(entered)[0] ?? '') + PAGE),
        );
      }
    });

    test('begins with the first entry at or after it, oldest first', async () => {
      const entered = await page('first_seen', 'asc', { at: '2026-10-12T00:00:00Z' });
      const before = await page('first_seen', 'asc', { cursor: entered.prev_cursor });
      expect(entered.items[0]?.first_seen).toBe('2026-10-12T00:00:00.000000Z');
      expect(before.items.at(-1)?.first_seen).toBe('2026-10-11T00:00:00.000000Z');
    });

    test('shows the last page where nothing is that old, and says that nothing is newer than the newest', async () => {
      const wanted = await inOrder('first_seen', 'desc');
      const old = await page('first_seen', 'desc', { at: '1990-01-01T00:00:00Z' });
      expect(idsOf(old)).toEqual(wanted.slice(-PAGE));
      expect(old.next_cursor).toBeNull();
      expect(await allPages('first_seen', 'desc', old, 'prev')).toEqual(wanted);
      const to_come = await page('first_seen', 'desc', { at: '2990-01-01T00:00:00Z' });
      expect(idsOf(to_come)).toEqual(wanted.slice(0, PAGE));
      expect(to_come.prev_cursor).toBeNull();
      expect(await page('first_seen', 'desc', { at: '1990-01-01T00:00:00Z', filter: { task_name: ['none'] } })).toEqual(
        {
          items: [],
          next_cursor: null,
          prev_cursor: null,
        },
      );
    });

    test('is refused in an order that is not of time, beside a cursor, and for what is no moment', () => {
      const refused = (text: string) => expect(() => readPageOrder(new URLSearchParams(text)), text);
      refused('at=2026-11-12T00:00:00Z&sort=attempts').toThrow(/at goes with a sort by failed_at or first_seen/);
      refused('at=2026-11-12T00:00:00Z&cursor=x').toThrow(/at goes without a cursor/);
      refused('at=yesterday').toThrow(/at takes a moment/);
      expect(readPageOrder(new URLSearchParams('at=2026-11-12T00:00:00%2B02:00')).at).toBe('2026-11-12T00:00:00+02:00');
    });
  });

  test('refuses a broken cursor, and one of another order, with what to do', async () => {
    const { next_cursor } = await page('failed_at', 'desc', { limit: 5 });
    const of = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const broken = [
      '',
      'x',
      '%%%',
      of('failed_at', 'desc', '5'),
      of('failed_at', 'desc', "1'; --", '5'),
      of('failed_at', 'desc', '9224318016000000000', '5'),
      of('failed_at', 'desc', '-9999999999999999999', '5'),
      of('failed_at', 'desc', '1', '99999999999999999999'),
      of('failed_at', 'desc', 1, 5),
      of('id', 'desc', '1', '5'),
      of('failed_at', 'desc', null, '5'),
      of('failed_at', 'desc', '1', '5', 'beside'),
      of('failed_at', 'desc', '1', '5', 'before', 'x'),
      of('tile_distance', 'desc', '1e999', '5'),
      of('tile_distance', 'desc', '1e-400', '5'),
      of('tile_distance', 'desc', '-1', '5'),
      Buffer.from('{"a":1}').toString('base64url'),
    ];
    for (const cursor of broken)
      await expect(page('failed_at', 'desc', { cursor: cursor }), cursor).rejects.toThrow(/cursor cannot be read/);
    await expect(page('failed_at', 'asc', { cursor: next_cursor })).rejects.toThrow(/begin with the first page/);
    await expect(page('attempts', 'desc', { cursor: next_cursor })).rejects.toThrow(/begin with the first page/);
  });

  test('takes any cursor of the right form without an error of the database', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -210_866_803_200_000_000n, max: 9_224_318_015_999_999_999n }),
        fc.constantFrom('failed_at', 'first_seen'),
        async (at, sort) => {
          const cursor = Buffer.from(JSON.stringify([sort, 'desc', String(at), '5'])).toString('base64url');
          expect(Array.isArray((await page(sort as Sort, 'desc', { cursor })).items)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
    const of = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const at of ['-210866803200000000', '9224318015999999999', 'infinity', '-infinity'])
      await page('failed_at', 'desc', { cursor: of('failed_at', 'desc', at, '5') });
    await page('attempts', 'desc', { cursor: of('attempts', 'desc', '9999999999', '5') });
    for (const side of [[], ['before']])
      for (const metres of ['0', '12.5', '1e+22', '1.7976931348623157e+308', '1e-300', 'Infinity', 'NaN', null])
        await page('tile_distance', 'asc', { cursor: of('tile_distance', 'asc', metres, '5', ...side) });
  });

  test('cuts the error text to 300 characters, by characters', async () => {
    const { items } = await page('failed_at', 'desc', { limit: 500 });
    for (const { error_text } of items) expect([...(error_text ?? '')].length).toBeLessThanOrEqual(300);
  });
});

test('entries of a place or an area are looked up in one statement, without a walk', async () => {
  const asked = vi.spyOn(database.db, 'execute');
  for (const filter of [
    { place: ['FR'] },
    {
      polygon: [
        [-84, 39],
        [-82, 39],
        [-82, 41],
      ],
    },
  ] as Filter[])
    await listPage(database.db, {
      of: { filter },
      role: 'operator',
      sort: 'failed_at',
      dir: 'desc',
      limit: 5,
      after: null,
    });
  expect(asked).toHaveBeenCalledTimes(2);
  asked.mockRestore();
});
