import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countFaults } from '@/db/queries/count-faults';
import { listSchema } from '@/lib/contract/triage';
import { ROLES } from '@/lib/dead-letter/vocabulary';
import { countFaults as countFaultsOf } from '@/lib/triage/count-faults';
import { list } from '@/lib/triage/list';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { matches, someFilter, someRows } from './filter-model';
import { blankRow, insertRows, type Row, shownPositions } from './rows';

let database: TestDatabase;
let rows: Row[];
/** Entries with diagnoses that no version of ours wrote. */
const ODD = 1000;

beforeAll(async () => {
  database = await cloneDatabase();
  rows = fc.sample(someRows(300), { numRuns: 1, seed: 11 })[0] ?? [];
  await insertRows(database.pool, rows);
});
afterAll(() => database?.drop());

const ctx = () => ({ db: database.db, actor: { name: 'someone', role: 'operator' as const } });

describe('the faults of the entries that match', () => {
  test('are counted as one by one, for any filter and role, without the condition on faults', async () => {
    const positions = new Map(
      await Promise.all(ROLES.map(async (role) => [role, await shownPositions(database.pool, role)] as const)),
    );
    await fc.assert(
      fc.asyncProperty(someFilter(rows.length), fc.constantFrom(...ROLES), async (filter, role) => {
        const { fault: _, ...others } = filter;
        const counts = new Map<string, number>();
        for (const row of rows)
          if (matches(row, others, role, positions.get(role)?.get(row.id)))
            for (const code of row.faults) counts.set(code, (counts.get(code) ?? 0) + 1);
        const { values, distinct } = await countFaults(database.db, filter, role);
        expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(counts);
        expect(distinct).toBe(counts.size);
      }),
      { numRuns: 100 },
    );
  });

  test('are lower bounds once there are more entries than are counted', async () => {
    const all = await countFaults(database.db, { state: ['any'] }, 'operator');
    const with_faults = rows.filter(({ faults }) => faults.length > 0);
    expect(all.entries).toBe(with_faults.length);
    const some = await countFaults(database.db, { state: ['any'] }, 'operator', 40);
    expect(some.entries).toBe(40);
    for (const { value, count } of some.values)
      expect(count).toBeLessThanOrEqual(all.values.find((one) => one.value === value)?.count ?? 0);
    expect((await countFaultsOf(ctx(), { state: ['any'] })).capped).toBe(false);
  });

  test('stand in the list by kind and number, what fails first', async () => {
    const { items } = await list(ctx(), {
      filter: { state: ['any'] },
      sort: 'failed_at',
      dir: 'desc',
      limit: 500,
      cursor: null,
    });
    const of = new Map(items.map(({ id, fault_codes, fault_count }) => [id, { fault_codes, fault_count }]));
    for (const { id, faults } of rows) expect(of.get(id)).toEqual({ fault_codes: faults, fault_count: faults.length });
    await insertRows(database.pool, [blankRow(ODD)]);
    const fault = (code: string, severity: string) => ({ code, path: null, at: null, message: '', severity });
    await write(ODD, [
      fault('spike', 'note'),
      fault('curve', 'note'),
      fault('unclosed_ring', 'fails'),
      fault('spike', 'note'),
    ]);
    expect(await itemOf(ODD)).toMatchObject({ fault_codes: ['unclosed_ring', 'spike', 'curve'], fault_count: 4 });
    await write(ODD, []);
    expect(await itemOf(ODD)).toMatchObject({ fault_codes: [], fault_count: 0 });
  });

  test('break neither the list nor the counts, whatever a hand wrote as faults', async () => {
    const odd: unknown[] = [
      'text',
      7,
      null,
      { code: 'spike' },
      [null, 1, 'x', [], {}, { code: null }, { code: 5 }, { code: {} }, { code: '' }],
      [
        { code: 'x'.repeat(5000), severity: 'fails' },
        { code: 'curve', severity: { no: 1 } },
      ],
      Array.from({ length: 3000 }, (_, i) => ({ code: `code_${i}`, severity: 'fails' })),
      [{ code: "'; drop table dlq.entry; --", severity: 'fails' }],
    ];
    await insertRows(
      database.pool,
      odd.map((_, i) => blankRow(ODD + 1 + i)),
    );
    for (const [i, faults] of odd.entries()) await write(ODD + 1 + i, faults);
    const filter = { ids: odd.map((_, i) => String(ODD + 1 + i)) };
    const page = await list(ctx(), { filter, sort: 'failed_at', dir: 'asc', limit: 100, cursor: null });
    expect(listSchema.parse(page).items).toHaveLength(odd.length);
    const { values, distinct } = await countFaults(database.db, filter, 'viewer');
    expect(distinct).toBe(66);
    expect(values.find(({ value }) => value.startsWith("';"))?.count).toBe(1);
    expect((await itemOf(ODD + 6)).fault_codes).toEqual(['curve']);
    expect((await itemOf(ODD + 7)).fault_count).toBe(3000);
  });

  test('of an earlier payload are not those of one that waits for its diagnosis', async () => {
    await insertRows(database.pool, [{ ...blankRow(ODD + 50), faults: ['nested_shells'] }]);
    const ids = [String(ODD + 50)];
    expect((await countFaults(database.db, { ids }, 'operator')).entries).toBe(1);
    await database.pool.query('update dlq.diagnosis set diagnosed_at = null where entry_id = $1', [ODD + 50]);
    expect((await countFaults(database.db, { ids }, 'operator')).entries).toBe(0);
    expect((await itemOf(ODD + 50)).fault_codes).toEqual([]);
    const found = {
      filter: { ids, fault: ['nested_shells'] },
      sort: 'failed_at',
      dir: 'asc',
      limit: 1,
      cursor: null,
    } as const;
    expect((await list(ctx(), { ...found, filter: { ids, fault: ['nested_shells'] } })).items).toEqual([]);
  });
});

async function write(id: number, faults: unknown): Promise<void> {
  await database.pool.query(
    'update dlq.diagnosis set faults = $2::jsonb, diagnosed_at = clock_timestamp() where entry_id = $1',
    [id, JSON.stringify(faults)],
  );
}

async function itemOf(id: number) {
  const { items } = await list(ctx(), {
    filter: { ids: [String(id)], state: ['any'] },
    sort: 'failed_at',
    dir: 'asc',
    limit: 1,
    cursor: null,
  });
  if (!items[0]) throw new Error(`no entry ${id}`);
  return items[0];
}
