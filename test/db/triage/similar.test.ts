import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '@/db/client';
import { filterFromSearch } from '@/lib/contract/filter';
import { similarSchema } from '@/lib/contract/similar';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { SIMILAR_LIMIT, similar } from '@/lib/triage/similar';
import { triage } from '@/lib/triage/triage';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { blankRow, insertRows, type Row } from './rows';

let database: TestDatabase;
const ctxOf = (role: Role) => ({ db: createDb(database.pool), actor: { name: 'someone', role } });
const itemsOf = async (id: string, role: Role = 'operator') =>
  similarSchema.parse(await similar(ctxOf(role), { id })).items;
const counts = async (id: string, role: Role = 'operator') =>
  Object.fromEntries((await itemsOf(id, role)).map(({ kind, count }) => [kind, count]));
const ORDER = { sort: 'failed_at', dir: 'desc', limit: 1, cursor: null } as const;

const made = (id: number, change: Partial<Row> = {}): Row => ({
  ...blankRow(id),
  crs_verdict: 'wrong_unit',
  ...change,
});
const ROWS = [
  made(1),
  made(2),
  made(3, { signature: 'bbbb', at: [10.02, 50.01] }),
  made(4, { src_crs: 'EPSG:3857', at: [10.2, 50] }),
  made(5, { task_name: 'other', at: [10, 50.2] }),
  made(6, { crs_verdict: 'agrees', code_version: 'v2' }),
  made(7, { state: 'resolved' }),
  made(8, { state: 'quarantined', sensitive: true }),
  made(9, { crs_verdict: null, code_version: null, src_crs: null, at: null, unmappable_reason: 'no_crs' }),
  made(10, { at: [179.99, -17], signature: 'cccc' }),
  made(11, { at: [-179.98, -17], signature: 'cccc' }),
  made(12, { task_name: '!odd', src_crs: 'x*', signature: 'dddd' }),
  made(14, { src_crs: 'x*', signature: 'dddd', crs_verdict: null, code_version: 'v9', at: [-100, 0] }),
  made(13, { src_crs: `PROJCS["${'x'.repeat(600)}"]`, signature: 'dddd' }),
];

beforeAll(async () => {
  database = await cloneDatabase();
  await insertRows(database.pool, ROWS);
});
afterAll(() => database?.drop());

test('counts the unresolved of the same signature, source, place, verdict and version, the entry itself among them', async () => {
  // 7 is resolved; 8 is in quarantine, which is unresolved
  expect(await counts('1')).toEqual({ signature: 7, source: 7, nearby: 7, verdict: 10, version: 8 });
});

test('each number is what its filter finds, for every entry and role', async () => {
  for (const role of ['operator', 'viewer'] as const)
    for (const { id } of ROWS)
      for (const { kind, filter, count } of await itemsOf(id, role)) {
        const { total } = await triage(ctxOf(role), {
          ...ORDER,
          filter: filterFromSearch(new URLSearchParams(filter)),
        });
        expect(total, `${kind} of ${id} for a ${role}`).toBe(count);
      }
});

test('nearby goes over 180°', async () => {
  expect((await counts('10')).nearby).toBe(2);
  expect((await counts('11')).nearby).toBe(2);
});

test('an entry without a place, a verdict or a claim has no such likeness, and none of a sound verdict', async () => {
  expect(Object.keys(await counts('9'))).toEqual(['signature', 'source', 'version']);
  expect(Object.keys(await counts('6'))).not.toContain('verdict');
});

test('what no filter can say is left out', async () => {
  expect(Object.keys(await counts('12'))).toEqual(['signature', 'nearby', 'verdict']);
  expect(Object.keys(await counts('14'))).toEqual(['signature', 'nearby', 'version']);
  expect(Object.keys(await counts('13'))).toEqual(['signature', 'nearby', 'verdict', 'version']);
});

test('a viewer has nothing near a sensitive entry, and does not count it near others', async () => {
  expect((await counts('8')).nearby).toBe(7);
  expect(await counts('8', 'viewer')).not.toHaveProperty('nearby');
  expect((await counts('1', 'viewer')).nearby).toBe(6);
});

test('stops counting at the limit and says so', async () => {
  const many = Array.from({ length: SIMILAR_LIMIT + 5 }, (_, i) =>
    made(1000 + i, { signature: 'eeee', task_name: 'many', at: [-60, i % 2] }),
  );
  await insertRows(database.pool, many);
  const items = await itemsOf('1000');
  expect(items.find(({ kind }) => kind === 'signature')).toMatchObject({ count: SIMILAR_LIMIT, capped: true });
  expect(items.find(({ kind }) => kind === 'nearby')).toMatchObject({
    count: Math.ceil((SIMILAR_LIMIT + 5) / 2),
    capped: false,
  });
});

test('an entry that is not there is not found', async () => {
  for (const id of ['999999', 'x', '99999999999999999999'])
    await expect(similar(ctxOf('viewer'), { id })).rejects.toMatchObject({ code: 'not_found' });
});
