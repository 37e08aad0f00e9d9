import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binsFor, histogramOf, MAX_BINS } from '@/lib/triage/histogram';

const second = fc.integer({ min: Date.UTC(1, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 });

test('at most 120 bins of whole UTC days hold every failure', () => {
  fc.assert(
    fc.property(second, second, (a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const axis = binsFor(first, last);
      expect(axis.bins).toBeGreaterThanOrEqual(1);
      expect(axis.bins).toBeLessThanOrEqual(MAX_BINS);
      expect(axis.bin_s % 86_400).toBe(0);
      expect(new Date(axis.start_s * 1000).toISOString()).toMatch(/T00:00:00.000Z$/);
      expect(axis.start_s).toBeLessThanOrEqual(first);
      expect(axis.start_s + axis.bins * axis.bin_s).toBeGreaterThan(last);
    }),
  );
});

test('a bin is a day as long as 120 days hold them all', () => {
  const day = Date.UTC(2026, 10, 1) / 1000;
  expect(binsFor(day, day + 120 * 86_400 - 1)).toEqual({ start_s: day, bin_s: 86_400, bins: 120 });
  expect(binsFor(day, day + 120 * 86_400)).toEqual({ start_s: day, bin_s: 172_800, bins: 61 });
});

test('a bin without failures is there, and a class of any name is counted', () => {
  const day = Date.UTC(2026, 10, 1) / 1000;
  const bins = histogramOf({ start_s: day, bin_s: 86_400, bins: 3 }, [
    { bin: 0, failure_class: '__proto__', count: 2 },
    { bin: 2, failure_class: 'oom', count: 1 },
  ]);
  expect(JSON.stringify(bins.map(({ counts }) => counts))).toBe('[{"__proto__":2},{},{"oom":1}]');
});
