import { describe, expect, test } from 'vitest';
import { cellAt } from '@/lib/index/z-order';
import { focusOf } from '@/lib/triage/focus';

/** The grid's cell over a column and row of 128. */
const at = (x: number, y: number, count: number) => ({ cell: Number(cellAt(x, y)), count });

describe('where to look first', () => {
  test('is nowhere without positions', () => {
    expect(focusOf([], null)).toBeNull();
  });

  test('is the cell itself for one place', () => {
    const [west, south, east, north] = focusOf([at(64, 63, 5)], null)!;
    expect([west, east]).toEqual([0, 360 / 128]);
    expect(south).toBeCloseTo(0, 6);
    expect(north).toBeGreaterThan(south);
  });

  test('leaves out a few far ones, and keeps what lies beside the many', () => {
    const [west, south, east, north] = focusOf([at(37, 47, 500), at(38, 48, 480), at(120, 127, 9), at(2, 3, 9)], null)!;
    expect(west).toBeCloseTo((37 / 128) * 360 - 180, 6);
    expect(east).toBeCloseTo((39 / 128) * 360 - 180, 6);
    expect(north - south).toBeLessThan(6);
  });

  test('is no wider than the extent of all positions, which is finer than the grid', () => {
    expect(focusOf([at(64, 63, 5)], [1, 0.5, 1.5, 0.75])).toEqual([1, 0.5, 1.5, 0.75]);
  });

  test('holds both of two places of the same weight', () => {
    const [west, , east] = focusOf([at(30, 40, 10), at(80, 40, 10)], null)!;
    expect([west, east]).toEqual([(30 / 128) * 360 - 180, (81 / 128) * 360 - 180]);
  });

  test('goes over 180° where that is the shorter way between them', () => {
    const [west, , east] = focusOf([at(10, 40, 10), at(110, 40, 10)], null)!;
    expect([west, east]).toEqual([(110 / 128) * 360 - 180, (11 / 128) * 360 - 180]);
  });

  test('does not look at a pole for every seventh entry with swapped axes', () => {
    const [, south] = focusOf([at(37, 47, 280), at(45, 46, 280), at(77, 127, 90)], null)!;
    expect(south).toBeGreaterThan(35);
  });

  test('is one band of rows where north and south are too far apart for a map, not the emptiness between', () => {
    const [west, south, east, north] = focusOf([at(37, 47, 850), at(110, 127, 150)], null)!;
    expect(south).toBeGreaterThan(40);
    expect(north - south).toBeLessThan(6);
    expect(west).toBeCloseTo((37 / 128) * 360 - 180, 6);
    expect(east).toBeCloseTo((38 / 128) * 360 - 180, 6);
  });
});
