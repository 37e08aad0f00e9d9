import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '@/lib/contract/filter';
import { FACETS, type Facet, type Triage, triageSchema } from '@/lib/contract/triage';
import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';
import { MASKED } from '@/lib/triage/mask';
import { triage } from '@/lib/triage/triage';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { matches, someFilter, someRows } from './filter-model';
import { insertRows, type Row, shownPositions } from './rows';

let database: TestDatabase;
let rows: Row[];
const positions = new Map<Role, Map<string, [number, number]>>();

beforeAll(async () => {
  database = await cloneDatabase();
  rows = fc.sample(someRows(300), { numRuns: 1, seed: 11 })[0] ?? [];
  await insertRows(database.pool, rows);
  for (const role of ROLES) positions.set(role, await shownPositions(database.pool, role));
});
afterAll(() => database?.drop());

const ask = async (filter: Filter, role: Role): Promise<Triage> => {
  const answer = await triage(
    { db: database.db, actor: { name: 'someone', role } },
    { filter, sort: 'failed_at', dir: 'desc', limit: 100, cursor: null },
  );
  return triageSchema.parse(JSON.parse(JSON.stringify(answer)));
};

const hitsOf = (filter: Filter, role: Role): Row[] =>
  rows.filter((row) => matches(row, filter, role, positions.get(role)?.get(row.id)));

function without(filter: Filter, ...fields: (keyof Filter)[]): Filter {
  const rest = Object.fromEntries(Object.entries(filter).filter(([field]) => !fields.includes(field as keyof Filter)));
  return fields.includes('state') ? { ...rest, state: ['any'] } : rest;
}

function countBy<Key>(hits: Row[], key: (row: Row) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const row of hits) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return counts;
}

describe('the triage answer', () => {
  test('counts what the plain predicate counts, in every part, for any filter and role', async () => {
    await fc.assert(
      fc.asyncProperty(someFilter(rows.length), fc.constantFrom(...ROLES), async (filter, role) => {
        const answer = await ask(filter, role);
        const hits = hitsOf(filter, role);
        expect(answer.total).toBe(hits.length);
        expect(answer.depth).toBe(rows.filter(({ state }) => state !== 'resolved').length);
        for (const facet of FACETS) {
          const counts = countBy(hitsOf(without(filter, facet), role), (row) => facetOf(row, facet));
          expect(answer.facets[facet].distinct, facet).toBe(counts.size);
          expect(new Map(answer.facets[facet].values.map(({ value, count }) => [value, count])), facet).toEqual(counts);
        }
        const anytime = hitsOf(without(filter, 'since', 'until'), role);
        const day = countBy(anytime, (row) => `${row.failed_at.slice(0, 10)} ${row.failure_class}`);
        const shown = answer.histogram.bins.flatMap(({ start, counts }) =>
          Object.entries(counts).map(([failure_class, count]): [string, number] => [
            `${start.slice(0, 10)} ${failure_class}`,
            count,
          ]),
        );
        if (answer.histogram.bin_s === 86_400) expect(new Map(shown)).toEqual(withoutProto(day));
        const unplaced = hits.filter(({ id }) => !positions.get(role)?.has(id));
        expect(answer.not_mapped.total).toBe(unplaced.length);
        const signatures = countBy(hits, (row) => row.signature);
        expect(new Map(answer.signatures.map(({ signature, count }) => [signature, count]))).toEqual(signatures);
        for (const { signature, failed_at, example_id } of answer.signatures) {
          const members = hits.filter((row) => row.signature === signature);
          expect(failed_at).toBe(
            members
              .map((row) => row.failed_at)
              .sort()
              .at(-1),
          );
          expect(members.map(({ id }) => id)).toContain(example_id);
        }
        expect(answer.extent).toEqual(extentOf(hits, role));
        const order = [...hits].sort((a, b) =>
          a.failed_at < b.failed_at ? 1 : a.failed_at > b.failed_at ? -1 : Number(b.id) - Number(a.id),
        );
        expect(answer.items.map(({ id }) => id)).toEqual(order.slice(0, 100).map(({ id }) => id));
        expect(answer.next_cursor === null).toBe(hits.length <= 100);
      }),
      { numRuns: 120 },
    );
  });

  test('is spread by no broken clock: what no working one can have said is counted, but on no time axis', async () => {
    const far = await cloneDatabase();
    try {
      const { blankRow } = await import('./rows');
      await insertRows(far.pool, [
        { ...blankRow(1), failed_at: '2000-01-01T00:00:00Z' },
        { ...blankRow(2), failed_at: '2026-11-29T23:59:59.999999Z' },
        { ...blankRow(3), failed_at: 'infinity' },
        { ...blankRow(4), failed_at: '-infinity' },
        { ...blankRow(5), failed_at: '44000-01-01T00:00:00Z' },
        { ...blankRow(6), failed_at: '1970-01-01T00:00:00Z' },
      ]);
      const answer = await triage(
        { db: far.db, actor: { name: 'someone', role: 'viewer' } },
        { filter: {}, sort: 'failed_at', dir: 'desc', limit: 2, cursor: null },
      );
      expect(triageSchema.parse(answer).total).toBe(6);
      expect(answer.histogram.bins.length).toBeLessThanOrEqual(120);
      expect(answer.histogram.bins[0]?.start).toBe('2000-01-01T00:00:00.000Z');
      expect(answer.histogram.bins.flatMap(({ counts }) => Object.values(counts)).reduce((a, b) => a + b)).toBe(2);
      expect(answer.items.map(({ id }) => id)).toEqual(['3', '5']);
    } finally {
      await far.drop();
    }
  });

  test('shows a viewer neither position nor words of a sensitive entry, and says why it is not on the map', async () => {
    const viewer = await ask({ sensitive: true, state: ['any'] }, 'viewer');
    const operator = await ask({ sensitive: true, state: ['any'] }, 'operator');
    expect(viewer.total).toBe(operator.total);
    expect(viewer.not_mapped.total).toBe(viewer.total);
    expect(viewer.not_mapped.reasons.map(({ reason }) => reason)).toContain('sensitive');
    expect(viewer.extent).toBeNull();
    for (const item of viewer.items) {
      expect(item).toMatchObject({ work_key: MASKED, error_text: MASKED, position: null, tile_distance_m: null });
    }
    for (const { error_text } of viewer.signatures) expect(error_text).toBe(MASKED);
    expect(operator.items.every(({ work_key }) => work_key !== MASKED)).toBe(true);
  });

  test('shows a viewer the newest example that is not sensitive', async () => {
    for (const { example_id, error_text, signature } of (await ask({ state: ['any'] }, 'viewer')).signatures) {
      expect(error_text, signature).not.toBe(MASKED);
      expect(rows.find(({ id }) => id === example_id)?.sensitive).toBe(false);
    }
  });
});

function facetOf(row: Row, facet: Facet): string | null {
  const value = row[facet];
  return value === null ? null : String(value);
}

/** zod's record leaves out a key "__proto__"; the histogram itself has it. */
function withoutProto(counts: Map<string, number>): Map<string, number> {
  return new Map([...counts].filter(([key]) => !key.endsWith(' __proto__')));
}

function extentOf(hits: Row[], role: Role): [number, number, number, number] | null {
  const at = hits.flatMap(({ id }) => [positions.get(role)?.get(id)]).filter((one) => one !== undefined);
  if (at.length === 0) return null;
  const lons = at.map(([lon]) => lon);
  const lats = at.map(([, lat]) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}
