import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instant } from '@/lib/index/answers';
import type { ComboRow } from '@/lib/index/query';
import { TriageIndex } from '@/lib/index/triage-index';
import { type Change, changes, combos, queries, tiles } from './arbitrary';
import { NaiveIndex, place } from './naive-index';

interface Pair {
  index: TriageIndex;
  naive: NaiveIndex;
  at: Map<number, Instant>;
}

/** The index and the plain list after the same changes. */
function after(all_combos: ComboRow[], all_changes: Change[], block_rows: number): Pair {
  const index = new TriageIndex({ block_rows });
  const naive = new NaiveIndex();
  const at = new Map<number, Instant>();
  for (const combo of all_combos) {
    index.addCombo(combo);
    naive.addCombo(combo);
  }
  for (const change of all_changes) {
    if ('remove' in change) {
      index.remove(change.remove);
      naive.remove(change.remove);
      at.delete(change.remove);
    } else {
      const row = { ...change.put, combo: all_combos[change.combo_at % all_combos.length]!.id };
      index.put(row);
      naive.put(row);
      at.set(row.entry_id, row.failed_at_us);
    }
  }
  return { index, naive, at };
}

const pairs = fc.tuple(combos, changes, fc.integer({ min: 2, max: 9 })).map((given) => after(...given));
const dir = fc.constantFrom('asc' as const, 'desc' as const);

describe('the index answers what a plain list answers, after any changes', () => {
  test('all counts of a fold', () => {
    const limits = fc.record({
      facet_values: fc.integer({ min: 1, max: 12 }),
      signatures: fc.integer({ min: 1, max: 12 }),
      versions: fc.integer({ min: 20, max: 30 }),
    });
    fc.assert(
      fc.property(pairs, fc.array(queries, { minLength: 1, maxLength: 3 }), limits, ({ index, naive }, all, most) => {
        expect(index.size).toBe(naive.size);
        for (const query of all) expect(index.fold(query, most)).toEqual(naive.fold(query, most));
      }),
      { numRuns: 150 },
    );
  });

  test('pages by keyset to the end, none lost, none twice', () => {
    fc.assert(
      fc.property(pairs, queries, dir, fc.integer({ min: 1, max: 7 }), ({ index, naive, at }, query, way, limit) => {
        const found: number[] = [];
        for (;;) {
          const last = found.at(-1);
          const after = last === undefined ? undefined : { failed_at_us: at.get(last)!, entry_id: last };
          const page = index.page(query, { dir: way, limit, after });
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(found).toEqual(naive.page(query, { dir: way, limit: 1_000 }));
      }),
      { numRuns: 100 },
    );
  });

  test('how many match, and their ids', () => {
    fc.assert(
      fc.property(pairs, queries, fc.integer({ min: 0, max: 30 }), ({ index, naive }, query, most) => {
        const ids = naive.ids(query).sort((a, b) => a - b);
        expect(index.count(query)).toBe(ids.length);
        expect([...index.ids(query, 1_000)].sort((a, b) => a - b)).toEqual(ids);
        const some = [...index.ids(query, most)];
        expect(some).toHaveLength(Math.min(most, ids.length));
        expect(ids).toEqual(expect.arrayContaining(some));
      }),
      { numRuns: 100 },
    );
  });

  test('the cells and the points of a tile', () => {
    fc.assert(
      fc.property(
        pairs,
        queries,
        tiles,
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 9 }),
        ({ index, naive }, query, { z, inside }, deeper, most) => {
          const tile = { z, ...place(inside) };
          const byPlace = (a: { col: number; row: number }, b: { col: number; row: number }) =>
            a.col - b.col || a.row - b.row;
          expect(index.cells(query, tile, deeper).sort(byPlace)).toEqual(
            naive.cells(query, tile, deeper).sort(byPlace),
          );
          expect(index.points(query, tile, most)).toEqual(naive.points(query, tile, most));
        },
      ),
      { numRuns: 100 },
    );
  });
});
