import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureTrendRows } from '@/db/queries/signature-trends';
import type { Filter } from '@/lib/contract/filter';
import { MAX_TREND_BINS, signatureTrendsSchema } from '@/lib/contract/signature-trends';
import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';
import { signatureTrends } from '@/lib/triage/signatures';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { matches, someFilter, someRows } from './filter-model';
import { blankRow, insertRows, type Row, shownPositions } from './rows';

let database: TestDatabase;
let rows: Row[];
const positions = new Map<Role, Map<string, [number, number]>>();

beforeAll(async () => {
  database = await cloneDatabase();
  rows = fc.sample(someRows(200), { numRuns: 1, seed: 5 })[0] ?? [];
  await insertRows(database.pool, rows);
  for (const role of ROLES) positions.set(role, await shownPositions(database.pool, role));
});
afterAll(() => database?.drop());

const ask = async (filter: Filter, role: Role) =>
  signatureTrendsSchema.parse(await signatureTrends({ db: database.db, actor: { name: 'someone', role } }, filter));

const tally = (words: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

describe('the trends of signatures', () => {
  test('count what the plain predicate counts, a day in its bin, for any filter and role', async () => {
    await fc.assert(
      fc.asyncProperty(someFilter(rows.length), fc.constantFrom(...ROLES), async (filter, role) => {
        const { start, bin_s, bins, items, counted_from } = await ask(filter, role);
        const hits = rows.filter((row) => matches(row, filter, role, positions.get(role)?.get(row.id)));
        expect(counted_from).toBeNull();
        expect(new Set(items.map(({ signature }) => signature))).toEqual(new Set(hits.map((row) => row.signature)));
        expect(bins).toBeLessThanOrEqual(MAX_TREND_BINS);
        for (const { signature, counts, tasks, task_count } of items) {
          const own = hits.filter((row) => row.signature === signature);
          expect(counts).toHaveLength(bins);
          const expected = tally(
            own.map(({ failed_at }) =>
              String(Math.floor((Date.parse(failed_at) - Date.parse(start ?? '')) / 1000 / bin_s)),
            ),
          );
          expect(Object.fromEntries(counts.map((n, bin) => [bin, n] as const).filter(([, n]) => n > 0))).toEqual(
            expected,
          );
          const by_task = tally(own.map(({ task_name }) => task_name));
          expect(task_count).toBe(Object.keys(by_task).length);
          for (const { task_name, count } of tasks) expect(count).toBe(by_task[task_name]);
          expect(tasks.map(({ count }) => count)).toEqual(
            Object.values(by_task)
              .sort((a, b) => b - a)
              .slice(0, 5),
          );
        }
        const sums = items.map(({ counts }) => counts.reduce((sum, n) => sum + n, 0));
        expect(sums).toEqual(sums.toSorted((a, b) => b - a));
      }),
      { numRuns: 60 },
    );
  });

  test('end today, so that what has stopped failing shows it, or where the period ends', async () => {
    const today = Math.floor(Date.now() / 86_400_000);
    const open = await ask({}, 'operator');
    expect(Date.parse(open.start ?? '') / 86_400_000 + (open.bins * open.bin_s) / 86_400).toBeGreaterThan(today);
    const first = Math.min(...rows.map(({ failed_at }) => Date.parse(failed_at)));
    const until = new Date(first + 86_400_000).toISOString();
    const past = await ask({ state: ['any'], until }, 'operator');
    expect(past.bins).toBeLessThanOrEqual(2);
  });

  test('leave out what no working clock can have said, and answer nothing for nothing', async () => {
    const far = await cloneDatabase();
    try {
      await insertRows(far.pool, [
        { ...blankRow(1), failed_at: 'infinity' },
        { ...blankRow(2), failed_at: '1970-01-01T00:00:00Z' },
      ]);
      const actor = { name: 'someone', role: 'operator' as const };
      expect(await signatureTrends({ db: far.db, actor }, {})).toMatchObject({ start: null, bins: 0, items: [] });
      await insertRows(far.pool, [{ ...blankRow(3), failed_at: '2000-01-01T00:00:00Z' }]);
      const answer = await signatureTrends({ db: far.db, actor }, {});
      expect(answer).toMatchObject({ start: '2000-01-01T00:00:00.000Z' });
      expect(answer.bins).toBeLessThanOrEqual(MAX_TREND_BINS);
      expect(answer.items[0]?.counts[0]).toBe(1);
    } finally {
      await far.drop();
    }
  });

  test('read the newest entries of the period alone, and say since when they count', async () => {
    const most = 40;
    const newest = rows
      .filter(({ failed_at }) => failed_at < '2026-11-25')
      .toSorted((a, b) => (a.failed_at < b.failed_at ? 1 : -1))
      .slice(0, most);
    const { counted_from, items } = await signatureTrendRows(
      database.db,
      { state: ['any'], until: '2026-11-25T00:00:00Z' },
      'operator',
      MAX_TREND_BINS,
      most,
    );
    expect(Date.parse(counted_from ?? '')).toBe(Date.parse(newest.at(-1)?.failed_at ?? ''));
    const counted = items.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
    expect(counted).toBe(most);
  });
});
