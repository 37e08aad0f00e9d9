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
    const near = fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 }));
    const place = fc.tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 2 ** 40 }));
    fc.assert(
      fc.property(place, place, near, fc.constantFrom(0, 900, -900), ([ax, ay], [bx, by], [dx, dy], exponent) => {
        const [cx, cy] = [2 * bx - ax + dx, 2 * by - ay + dy];
        const scale = 2 ** exponent;
        const numbers = [ax, ay, bx, by, cx, cy].map((n) => n * scale) as [
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const sizes = numbers.map(Math.abs).filter((n) => n > 0);
        const turn = turnFor(Math.max(...sizes), Math.min(...sizes), new Work(1e9));
        const [a, b, c, d, e, f] = [ax, ay, bx, by, cx, cy].map(BigInt) as [
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        const exact = (c - a) * (f - b) - (d - b) * (e - a);
        expect(Math.sign(turn(...numbers)) + 0).toBe(exact > 0n ? 1 : exact < 0n ? -1 : 0);
      }),
      { numRuns: 3_000 },
    );
  });
});
