import { describe, expect, it } from 'vitest';
import {
  columnsOf,
  foldMarks,
  type Histogram,
  histogramLayout,
  offAxis,
  periodOf,
  placeLabels,
  rangeSums,
  stepText,
  tickColumns,
  versionMarks,
  versionsIn,
} from '@/components/triage/histogram.model';

const DAY_S = 86_400;
const day = (date: string) => `${date}T00:00:00.000Z`;
const NOW = '2026-11-30T14:32:07.000Z';
const histogram = (bins: [string, Record<string, number>][]): Histogram => ({
  bin_s: DAY_S,
  bins: bins.map(([date, counts]) => ({ start: day(date), counts })),
  versions: [{ code_version: '2.14.0', first_seen: '2026-11-29T12:00:00.000Z' }],
});
const some = histogram([
  ['2026-11-26', { oom: 1, crs_mismatch: 4 }],
  ['2026-11-28', { crs_mismatch: 2, disk_full: 3 }],
]);

describe('the histogram', () => {
  it('has a bar for every day up to today, also where nothing failed', () => {
    const { columns, peak } = histogramLayout(some, NOW, 600);
    expect(columns.map(({ total }) => total)).toEqual([5, 0, 5, 0, 0]);
    expect(peak?.total).toBe(5);
  });

  it('stacks the classes in one order, the largest below, and words outside the vocabulary as other', () => {
    const { columns } = histogramLayout(some, NOW, 600);
    expect(columns[0]?.counts.map(({ failure_class }) => failure_class)).toEqual(['crs_mismatch', 'oom']);
    expect(columns[2]?.counts).toEqual([
      { failure_class: 'crs_mismatch', count: 2 },
      { failure_class: 'other', count: 3 },
    ]);
  });

  it('merges days that would not fit and loses no entry', () => {
    const bins = Array.from({ length: 90 }, (_, i): [string, Record<string, number>] => [
      new Date(Date.UTC(2026, 8, 1 + i)).toISOString().slice(0, 10),
      { oom: i },
    ]);
    const layout = histogramLayout(histogram(bins), NOW, 120);
    expect(layout.columns.length).toBeLessThanOrEqual(30);
    expect(rangeSums(layout, null).total).toBe((89 * 90) / 2);
    expect(stepText(layout.step_ms)).toBe('per 4 days');
  });

  it('gives back the period that a brush over its own columns made', () => {
    const layout = histogramLayout(some, NOW, 600);
    const { since, until } = periodOf(layout, 2, 1);
    expect([since, until]).toEqual([day('2026-11-27'), day('2026-11-29')]);
    expect(columnsOf(layout, since, until)).toEqual([1, 2]);
  });

  it('leaves the end open when the brush reaches the newest bar, so that arrivals stay in it', () => {
    const layout = histogramLayout(some, NOW, 600);
    expect(periodOf(layout, 1, 4)).toEqual({ since: day('2026-11-27') });
  });

  it('puts a version where its first failure was', () => {
    expect(versionMarks(histogramLayout(some, NOW, 600), some.versions)).toEqual([{ code_version: '2.14.0', at: 0.7 }]);
  });

  it('labels the newest bar and evenly back from it', () => {
    expect(tickColumns(46, 620)).toEqual([3, 10, 17, 24, 31, 38, 45]);
    expect(tickColumns(0, 620)).toEqual([]);
  });

  it('is empty without captures', () => {
    expect(histogramLayout(histogram([]), NOW, 600).columns).toEqual([]);
  });
});

describe('the words of the version marks', () => {
  const sides = (marks: [string, number][], width: number, head = 100) =>
    placeLabels(
      marks.map(([code_version, at]) => ({ code_version, at })),
      width,
      head,
    ).map(({ side, inside }) => (inside ? `${side} inside` : side));

  it('stand left of their line, right of it where the title is in the way', () => {
    expect(
      sides(
        [
          ['2.12.9', 0.25],
          ['2.14.0', 0.7],
        ],
        640,
      ),
    ).toEqual(['left', 'left']);
    expect(sides([['2.12.9', 0.2]], 640)).toEqual(['right']);
  });

  it('go down to the bars where they would touch the title or one another', () => {
    expect(sides([['2.11.3', 0.01]], 640)).toEqual(['right inside']);
    expect(sides([['2.11.3', 0.1]], 640)).toEqual(['left inside']);
    expect(sides([['2.14.0', 0.97]], 640)).toEqual(['left']);
    const close = ['2.13.4', '2.13.5', '2.13.6', '2.13.7', '2.13.8'].map((word, i): [string, number] => [
      word,
      0.5 + i / 100,
    ]);
    expect(sides(close, 640)).toEqual(['left', 'right', 'left inside', 'right inside', 'null inside']);
  });
});

describe('many code versions', () => {
  it('fold where their lines would touch, and say how many they are', () => {
    const marks = Array.from({ length: 200 }, (_, i) => ({ code_version: `v${i}`, at: i / 200 }));
    const folded = foldMarks(marks, 600);
    expect(folded.flatMap(({ versions }) => versions)).toEqual(marks.map(({ code_version }) => code_version));
    folded.slice(1).forEach(({ at }, i) => {
      expect((at - folded[i]!.at) * 600).toBeGreaterThanOrEqual(7);
    });
    expect(folded[0]?.code_version).toBe('v2 +2');
    expect(foldMarks([{ code_version: 'v1', at: 0.5 }], 600)).toEqual([
      { code_version: 'v1', at: 0.5, versions: ['v1'] },
    ]);
  });

  it('are named by the bar in which they first failed', () => {
    const { columns } = histogramLayout(some, NOW, 600);
    expect(columns.map((column) => versionsIn(column, some.versions))).toEqual([[], [], [], ['2.14.0'], []]);
  });
});

describe('what stands on no time axis', () => {
  it('is counted beside it, unless a period or a bound leaves it untold', () => {
    const answer = { total: 13, histogram: some };
    expect(offAxis(answer, false)).toBe(3);
    expect(offAxis({ ...answer, total: 10 }, false)).toBe(0);
    expect(offAxis(answer, true)).toBeNull();
    expect(offAxis({ ...answer, capped: true }, false)).toBeNull();
  });
});
