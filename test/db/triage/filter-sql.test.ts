import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conditionsOf, instantText, matching, needsEntry } from '@/db/filter-sql';
import { listPage } from '@/db/queries/list-page';
import { type Filter, parseFilter } from '@/lib/contract/filter';
import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { matches, someFilter, someRows } from './filter-model';
import { blankRow, insertRows, type Row, shownPositions } from './rows';

let database: TestDatabase;
let rows: Row[];
const positions = new Map<Role, Map<string, [number, number]>>();

beforeAll(async () => {
  database = await cloneDatabase();
  rows = fc.sample(someRows(400), { numRuns: 1, seed: 7 })[0] ?? [];
  await insertRows(database.pool, rows);
  for (const role of ROLES) positions.set(role, await shownPositions(database.pool, role));
});
afterAll(() => database?.drop());

async function found(filter: Filter, role: Role, without: (keyof Filter)[] = []): Promise<string[]> {
  const entry = needsEntry(filter, { without }) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``;
  const result = await database.db.execute<{ id: string }>(sql`
    select s.entry_id::text as id from dlq.state s join dlq.combo c on c.id = s.combo ${entry}
    where ${matching(filter, role, { without })} order by s.entry_id`);
  return result.rows.map(({ id }) => id);
}

function expected(filter: Filter, role: Role): string[] {
  return rows.filter((row) => matches(row, filter, role, positions.get(role)?.get(row.id))).map(({ id }) => id);
}

describe('the filter in SQL', () => {
  test('agrees with the plain predicate for any filter and role', async () => {
    await fc.assert(
      fc.asyncProperty(someFilter(rows.length), fc.constantFrom(...ROLES), async (filter, role) => {
        expect(await found(filter, role)).toEqual(expected(filter, role));
      }),
      { numRuns: 400 },
    );
  });

  test('leaves out the named conditions', async () => {
    await fc.assert(
      fc.asyncProperty(someFilter(rows.length), fc.constantFrom(...ROLES), async (filter, role) => {
        const fields = Object.keys(filter) as (keyof Filter)[];
        const [left_out] = fields;
        if (!left_out) return;
        const rest: Filter = { ...filter };
        delete rest[left_out];
        const wanted = left_out === 'state' ? { ...rest, state: ['any'] } : rest;
        expect(await found(filter, role, [left_out])).toEqual(expected(wanted, role));
      }),
      { numRuns: 100 },
    );
  });

  test('means the unresolved entries when nothing is said', async () => {
    expect(await found({}, 'operator')).toEqual(rows.filter(({ state }) => state !== 'resolved').map(({ id }) => id));
  });

  test('finds a single position by the box that is only that position', async () => {
    for (const [id, [lon, lat]] of positions.get('operator') ?? [])
      expect(await found({ state: ['any'], bbox: [lon, lat, lon, lat] }, 'operator')).toContain(id);
  });

  test('brings the box of a map that was turned around the world back', async () => {
    const crossing: Filter = { state: ['any'], bbox: [170, -80, -170, 80] };
    const hits = await found(crossing, 'operator');
    expect(hits.length).toBeGreaterThan(0);
    expect(await found({ state: ['any'], bbox: [170, -80, 190, 80] }, 'operator')).toEqual(hits);
    expect(await found({ state: ['any'], bbox: [-550, -80, -530, 80] }, 'operator')).toEqual(hits);
    expect(await found({ state: ['any'], bbox: [-400, -90, 400, 90] }, 'operator')).toEqual(
      await found({ state: ['any'], bbox: [-180, -90, 180, 90] }, 'operator'),
    );
  });

  test('finds nothing, and raises nothing, for a box of any finite numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(
          ...([0, 1, 2, 3].map(() => fc.double({ noNaN: true, noDefaultInfinity: true })) as [
            never,
            never,
            never,
            never,
          ]),
        ),
        async (bbox) => {
          expect(Array.isArray(await found(parseFilter({ bbox }), 'viewer'))).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('takes any instant that the contract takes', async () => {
    for (const since of [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '2026-11-20T10:00:00+23:00',
      '2026-11-20T10:00:00.1234567Z',
    ])
      expect(await found(parseFilter({ since, until: since, state: ['any'] }), 'operator')).toEqual([]);
    expect(instantText('2026-11-20T10:00:00.1234567+02:00')).toBe('2026-11-20T08:00:00.123456Z');
  });

  test('does not let a viewer spell out the work key of a sensitive entry', async () => {
    const secret = { ...blankRow(9001), work_key: 'secret-parcel', sensitive: true };
    await insertRows(database.pool, [secret]);
    expect(await found({ work_key: 'secret-' }, 'operator')).toEqual(['9001']);
    expect(await found({ work_key: 'secret-' }, 'viewer')).toEqual([]);
  });

  test('finds an entry by the whole key that was given where its work key had to be derived, by an index', async () => {
    const derived = { ...blankRow(9002), work_key: `${'0'.repeat(64)}:given/1`, given_key: 'given/1' };
    const masked = { ...blankRow(9003), work_key: `${'1'.repeat(64)}:given/1`, given_key: 'given/1', sensitive: true };
    await insertRows(database.pool, [{ ...blankRow(9004), work_key: 'given/1' }, derived, masked]);
    expect(await found({ work_key: 'given/1' }, 'operator')).toEqual(['9002', '9003', '9004']);
    expect(await found({ work_key: 'given/1' }, 'viewer')).toEqual(['9002', '9004']);
    expect(await found({ work_key: 'given/' }, 'operator')).toEqual(['9004']);
    const page = { sort: 'failed_at', dir: 'desc', limit: 9, after: null, role: 'operator' } as const;
    const listed = await listPage(database.db, { ...page, of: { filter: { work_key: 'given/1' } } });
    expect(listed.map(({ id, given_key }) => [id, given_key])).toEqual([
      ['9004', null],
      ['9003', 'given/1'],
      ['9002', 'given/1'],
    ]);
    const plan = await database.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute(sql`explain select e.id from dlq.entry e
        where ${conditionsOf({ work_key: 'given/1' }, 'operator').get('work_key') ?? sql`true`}`);
    });
    expect(JSON.stringify(plan.rows)).toMatch(/entry_work_key_prefix.*entry_idempotency_key/);
  });
});
