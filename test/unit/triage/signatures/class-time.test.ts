import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '@/components/triage/histogram.model';
import { cellFilter, classTime, columnName, movedPlace, shade } from '@/components/triage/signatures/class-time.model';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const NOW = '2026-11-30T14:00:00.000Z';
const histogram = (bins: Record<string, number>[], bin_s = 86_400): Histogram => ({
  bin_s,
  bins: bins.map((counts, i) => ({ start: new Date(START + i * bin_s * 1000).toISOString(), counts })),
  versions: [],
});
const someBins = fc.array(
  fc.dictionary(fc.constantFrom('oom', 'crs_mismatch', 'unknown', 'a', 'b', '__proto__', 'disk full'), fc.nat(1000), {
    maxKeys: 6,
    noNullPrototype: false,
  }),
  { minLength: 1, maxLength: 30 },
);

describe('the table by class and time', () => {
  it('has every entry of the bins in exactly one cell, in at most as many columns as fit', () => {
    fc.assert(
      fc.property(someBins, fc.integer({ min: 1, max: 50 }), (bins, most) => {
        const { rows, columns, peak } = classTime(histogram(bins), NOW, most);
        expect(columns.length).toBeLessThanOrEqual(most);
        expect(columns.at(-1)!.end).toBeGreaterThan(Date.parse(NOW));
        columns.slice(1).forEach((column, i) => {
          expect(column.start).toBe(columns[i]!.end);
        });
        const given = bins.flatMap((counts) => Object.values(counts)).reduce((all, n) => all + n, 0);
        expect(rows.reduce((all, { total }) => all + total, 0)).toBe(given);
        for (const { counts, total } of rows) {
          expect(counts).toHaveLength(columns.length);
          expect(counts.reduce((all, n) => all + n, 0)).toBe(total);
          expect(Math.max(...counts)).toBeLessThanOrEqual(peak);
        }
      }),
    );
  });

  it('gives the largest classes rows of their own, and the last row to all other words', () => {
    const counts = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`word ${i}`, 100 - i]));
    const { rows } = classTime(histogram([counts]), NOW, 30);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toMatchObject({ failure_class: 'word 0', total: 100 });
    expect(rows.at(-1)).toMatchObject({ failure_class: null });
    expect(rows.at(-1)?.words).toHaveLength(29);
  });

  it('leads from a cell to its class and time, the last column open towards now', () => {
    const table = classTime(histogram([{ oom: 2, unknown: 1 }]), NOW, 60);
    const filter = { task_name: ['clip'], since: '2020-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' };
    expect(cellFilter(filter, table, 0, 0)).toEqual({
      task_name: ['clip'],
      failure_class: ['oom'],
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-02T00:00:00.000Z',
    });
    const last = cellFilter(filter, table, 1, table.columns.length - 1);
    expect(last).toEqual({ task_name: ['clip'], failure_class: ['unknown'], since: '2026-11-30T00:00:00.000Z' });
    const strange = classTime(histogram([{ '!oom': 1 }]), NOW, 60);
    expect(cellFilter({}, strange, 0, 0)).toBeNull();
  });

  it('shades by orders of magnitude: nothing is 0, one is seen, the largest is the darkest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 10_000_000 }), (a, b) => {
        const [small, peak] = a < b ? [a, b] : [b, a];
        expect(shade(0, peak)).toBe(0);
        expect(shade(small, peak)).toBeGreaterThanOrEqual(1);
        expect(shade(peak, peak)).toBeLessThanOrEqual(5);
        expect(shade(small, peak)).toBeLessThanOrEqual(shade(peak, peak));
      }),
    );
    expect(shade(1_000_000, 1_000_000)).toBe(5);
    expect(shade(1, 1)).toBe(5);
  });

  it('names a column by its day, its days or its hour', () => {
    expect(columnName({ start: START, end: START + DAY_MS }, NOW)).toBe('1 Nov');
    expect(columnName({ start: START, end: START + 2 * DAY_MS }, NOW)).toBe('1 Nov – 2 Nov');
    expect(columnName({ start: START, end: START + 3_600_000 }, NOW)).toBe('1 Nov 00:00');
  });

  it('is walked by arrow keys, and never left by them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End')),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (keys, rows, columns) => {
          const end = keys.reduce((at, key) => movedPlace(at, key, rows, columns)!, { row: 0, column: 0 });
          expect(end.row).toBeGreaterThanOrEqual(0);
          expect(end.row).toBeLessThan(rows);
          expect(end.column).toBeGreaterThanOrEqual(0);
          expect(end.column).toBeLessThan(columns);
        },
      ),
    );
    expect(movedPlace({ row: 0, column: 0 }, 'j', 2, 2)).toBeNull();
    expect(movedPlace({ row: 0, column: 1 }, 'ArrowDown', 2, 2)).toEqual({ row: 1, column: 1 });
  });
});
