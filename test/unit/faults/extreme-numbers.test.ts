import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFaults } from '@/lib/faults/find-faults';
import { turnFor } from '@/lib/faults/turn';
import { Work } from '@/lib/faults/work';
import { readWkb } from '@/lib/wkb/read-wkb';
import { writeEwkb } from '@/lib/wkb/write-ewkb';
import { BOW_TIE, INSCRIBED, PINCHED, SQUARE } from './hand-made';
import { type Point, polygon, type Ring } from './random-geometries';

const faultsOf = (...rings: Ring[]) => findFaults(readWkb(writeEwkb(polygon(...rings)))).faults;
const scaled = (ring: Ring, by: number): Ring => ring.map(([x, y]): Point => [x * by, y * by]);
const SCALES = [1e307, 1e200, 1e-100, 1e-200, 5e-324 * 2 ** 20, 5e-324];

describe('numbers near the ends of what a double holds', () => {
  it.each(SCALES)('keep their faults at the scale of %s', (scale) => {
    expect(
      faultsOf(
        scaled(SQUARE, scale),
        scaled(
          [
            [1, 1],
            [3, 1],
            [2, 3],
            [1, 1],
          ],
          scale,
        ),
      ),
    ).toEqual([]);
    expect(faultsOf(scaled(BOW_TIE, scale))).toMatchObject([{ code: 'self_intersection', at: [2 * scale, 2 * scale] }]);
    expect(faultsOf(scaled(PINCHED, scale)).map(({ code }) => code)).toEqual(['ring_self_touch']);
    const touching = faultsOf(scaled(SQUARE, scale), scaled(INSCRIBED, scale));
    expect(touching.map(({ code }) => code)).toEqual(Array(4).fill('interior_disconnected'));
  });

  it.each(SCALES.slice(0, 3))('are found through the index at the scale of %s', (scale) => {
    const circle: Ring = Array.from({ length: 1000 }, (_, n) => [Math.cos(n / 159.2), Math.sin(n / 159.2)]);
    [circle[500], circle[501]] = [circle[501] as Point, circle[500] as Point];
    const closed = [...circle, circle[0] as Point];
    const places = (ring: Ring) => faultsOf(ring).map(({ code, path }) => [code, path]);
    expect(places(scaled(closed, scale))).toEqual(places(closed));
    expect(places(closed)).toContainEqual(['self_intersection', [0, 499]]);
  });

  it('cross in the middle of edges that are longer than a double holds', () => {
    const bow_tie = BOW_TIE.map(([x, y]): Point => [(x - 2) * 0.85e308, (y - 2) * 0.85e308]);
    expect(faultsOf(bow_tie)).toMatchObject([{ code: 'self_intersection', at: [0, 0] }]);
  });

  it('from both ends in one ring are still compared exactly', () => {
    const thin: Ring = [
      [0, 0],
      [1e308, 0],
      [1e308, 1e-300],
      [0, 5e-324],
      [0, 0],
    ];
    expect(faultsOf(thin).filter(({ severity }) => severity === 'fails')).toEqual([]);
    const below: Ring = [
      [0, 0],
      [1e308, 0],
      [1e308, 1e-300],
      [1, -5e-324],
      [0, 1],
      [0, 0],
    ];
    expect(faultsOf(below).map(({ code }) => code)).toContain('self_intersection');
  });
});

describe('a vertex within rounding of an edge', () => {
  it('is on the side where it is: a hole beyond the shell by one bit crosses it, one on it touches it', () => {
    const shell: Ring = [
      [0, 0],
      [3, 1],
      [3, 9],
      [0, 9],
      [0, 0],
    ];
    const hole = (y: number): Ring => [
      [1.5, y],
      [2, 4],
      [1, 4],
      [1.5, y],
    ];
    expect(faultsOf(shell, hole(0.5))).toEqual([]);
    expect(faultsOf(shell, hole(0.5 + 2 ** -53))).toEqual([]);
    expect(faultsOf(shell, hole(0.5 - 2 ** -54)).map(({ code }) => code)).toContain('self_intersection');
  });

  it('turns as exact integers say, near one line and far from the origin', () => {
    const small = fc.integer({ min: -1, max: 1 });
    const step = fc.integer({ min: 1, max: 2 ** 19 });
    const far = fc.integer({ min: 2 ** 31, max: 2 ** 32 });
    let rounded = 0;
    fc.assert(
      fc.property(step, step, far, far, small, small, fc.constantFrom(0, 900, -900), (p, q, m, n, dx, dy, exponent) => {
        const places = [7, 5, 7 + m * p, 5 + m * q, 7 + n * p + dx, 5 + n * q + dy];
        const [ax, ay, bx, by, cx, cy] = places.map((value) => value * 2 ** exponent) as Six<number>;
        const [a, b, c, d, e, f] = places.map(BigInt) as Six<bigint>;
        const exact = (c - a) * (f - b) - (d - b) * (e - a);
        const sign = exact > 0n ? 1 : exact < 0n ? -1 : 0;
        const sizes = [ax, ay, bx, by, cx, cy].map(Math.abs);
        const turn = turnFor(Math.max(...sizes), Math.min(...sizes), new Work(1e9));
        expect(Math.sign(turn(ax, ay, bx, by, cx, cy)) + 0).toBe(sign);
        if (Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) !== sign) rounded++;
      }),
      { numRuns: 3_000 },
    );
    // Plain arithmetic is wrong in many of them, or this would show nothing.
    expect(rounded).toBeGreaterThan(100);
  });
});

type Six<T> = [T, T, T, T, T, T];
