import { describe, expect, it } from 'vitest';
import { findFaults } from '@/lib/faults/find-faults';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';
import { readWkb } from '@/lib/wkb/read-wkb';
import { writeEwkb } from '@/lib/wkb/write-ewkb';
import { box, multi, type Point, polygon, type Ring } from './random-geometries';

const COUNT = 30_000;
const MAX_WORK = 20_000_000;
const ringOf = (count: number, at: (n: number) => Point): Ring => [
  ...Array.from({ length: count }, (_, n) => at(n)),
  at(0),
];
const reportOf = (tree: GeometryTree, max_work = MAX_WORK) => findFaults(readWkb(writeEwkb(tree)), { max_work });

/** The shapes are so that comparing every edge with every other one it might meet would take minutes. */
const HOSTILE: Record<string, () => GeometryTree> = {
  'combs that cross each other': () =>
    polygon(
      ringOf(COUNT, (n) => [n, n % 2 ? COUNT : -1]),
      ringOf(COUNT, (n) => [n % 2 ? COUNT : -1, n]),
    ),
  'edges that all overlap in x and y': () => polygon(ringOf(COUNT, (n) => [n % 2 ? 0 : COUNT, n % 2 ? n : COUNT + n])),
  'a star whose every edge crosses half of the others': () =>
    polygon(
      ringOf(COUNT + 1, (n) => {
        const angle = (2 * Math.PI * n * (COUNT / 2)) / (COUNT + 1);
        return [Math.cos(angle), Math.sin(angle)];
      }),
    ),
  'petals that all meet in one place': () =>
    polygon(ringOf(COUNT, (n) => (n % 3 === 0 ? [0, 0] : [Math.cos(n), Math.sin(n)]))),
  'random numbers of every size': () => {
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 32 - 0.5) * 10 ** ((state % 601) - 300);
    };
    return polygon(ringOf(COUNT, () => [next(), next()]));
  },
  'squares round squares': () =>
    multi(...Array.from({ length: COUNT / 4 }, (_, n) => [box(-n - 1, -n - 1, 2 * n + 2, 2 * n + 2)])),
  'one square many times': () => multi(...Array.from({ length: COUNT / 4 }, () => [box(0, 0, 1, 1)])),
};

describe('geometries made to take for ever', () => {
  it.each(Object.keys(HOSTILE))('are left at the bound, which is told: %s', (name) => {
    const { capped, faults } = reportOf((HOSTILE[name] as () => GeometryTree)());
    expect(capped).toBe(true);
    expect(
      faults
        .filter(({ code }) => code === 'capped')
        .map(({ message }) => message)
        .join('; '),
    ).toMatch(/stopped after 20000000 comparisons/);
    expect(faults.length).toBeLessThan(1_000);
  });

  it('need no bound where they are only large', () => {
    const parts = multi(
      ...Array.from({ length: 20_000 }, (_, n) => [box(2 * (n % 200), 2 * Math.floor(n / 200), 1, 1)]),
    );
    expect(reportOf(parts)).toEqual({ faults: [], counts: {}, capped: false });
    expect(reportOf({ ...parts, type: 7 })).toEqual({ faults: [], counts: {}, capped: false });
    const empty: GeometryTree = { type: 6, dims: 0, parts: Array.from({ length: 100_000 }, () => polygon()) };
    expect(reportOf(empty)).toEqual({ faults: [], counts: {}, capped: false });
    const comb = polygon(ringOf(COUNT, (n) => (n === COUNT - 1 ? [n, -1] : n === 0 ? [0, -1] : [n, n % 2])));
    expect(reportOf(comb).faults).toEqual([]);
  });

  it('are one fault and one place where all vertices are the same', () => {
    const { faults, counts } = reportOf(polygon(ringOf(COUNT, () => [3, 4])));
    expect(counts).toEqual({ too_few_points: 1, repeated_point: COUNT, capped: 1 });
    expect(faults[0]).toMatchObject({ code: 'too_few_points', at: [3, 4] });
  });
});
