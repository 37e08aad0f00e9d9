import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type List, listSchema, SORTS, type Sort } from '@/lib/contract/triage';
import { list } from '@/lib/triage/list';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { someRows } from './filter-model';
import { insertRows, type Row } from './rows';

let database: TestDatabase;
let rows: Row[];

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
});
afterAll(() => database?.drop());

async function page(sort: Sort, dir: 'asc' | 'desc', limit: number, cursor: string | null): Promise<List> {
  const answer = await list(
    { db: database.db, actor: { name: 'someone', role: 'operator' } },
    { filter: {}, sort, dir, limit, cursor },
  );
  return listSchema.parse(answer);
}

describe('the list', () => {
  for (const sort of SORTS)
    for (const dir of ['asc', 'desc'] as const)
      test(`gives every entry once, in order, page after page by ${sort} ${dir}`, async () => {
        const column = sort === 'failed_at' ? 's.failed_at' : `e.${sort}`;
        const { rows: wanted } = await database.pool.query<{ id: string }>(
          `select e.id::text as id from dlq.entry e join dlq.state s on s.entry_id = e.id order by ${column} ${dir}, e.id ${dir}`,
        );
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const { items, next_cursor }: List = await page(sort, dir, 7, cursor);
          seen.push(...items.map(({ id }) => id));
          cursor = next_cursor;
        } while (cursor !== null);
        expect(seen).toEqual(wanted.map(({ id }) => id));
      });

  test('refuses a broken cursor, and one of another order, with what to do', async () => {
    const { next_cursor } = await page('failed_at', 'desc', 5, null);
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
      Buffer.from('{"a":1}').toString('base64url'),
    ];
    for (const cursor of broken)
      await expect(page('failed_at', 'desc', 5, cursor), cursor).rejects.toThrow(/cursor cannot be read/);
    await expect(page('failed_at', 'asc', 5, next_cursor)).rejects.toThrow(/begin with the first page/);
    await expect(page('attempts', 'desc', 5, next_cursor)).rejects.toThrow(/begin with the first page/);
  });

  test('takes any cursor of the right form without an error of the database', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -210_866_803_200_000_000n, max: 9_224_318_015_999_999_999n }),
        fc.constantFrom('failed_at', 'first_seen'),
        async (at, sort) => {
          const cursor = Buffer.from(JSON.stringify([sort, 'desc', String(at), '5'])).toString('base64url');
          expect(Array.isArray((await page(sort as Sort, 'desc', 5, cursor)).items)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
    for (const at of ['-210866803200000000', '9224318015999999999', 'infinity', '-infinity'])
      await page(
        'failed_at',
        'desc',
        5,
        Buffer.from(JSON.stringify(['failed_at', 'desc', at, '5'])).toString('base64url'),
      );
    await page(
      'attempts',
      'desc',
      5,
      Buffer.from(JSON.stringify(['attempts', 'desc', '9999999999', '5'])).toString('base64url'),
    );
  });

  test('cuts the error text to 300 characters, by characters', async () => {
    const { items } = await page('failed_at', 'desc', 500, null);
    for (const { error_text } of items) expect([...(error_text ?? '')].length).toBeLessThanOrEqual(300);
  });
});
