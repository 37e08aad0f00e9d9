import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  shareText,
  signatureRows,
  sparkPath,
  tasksText,
  trendOf,
  trendsFilter,
  trendText,
} from '@/components/triage/signatures/signature.model';
import type { SignatureTrends } from '@/lib/contract/signature-trends';
import type { Triage } from '@/lib/contract/triage';

const DAY_S = 86_400;
const one = (signature: string, count: number, failed_at: string, failure_class = 'oom') => ({
  signature,
  count,
  failure_class,
  error_type: 'Error',
  error_text: null,
  first_seen: failed_at,
  failed_at,
  example_id: '1',
});
const answer = {
  signatures: [
    one('a', 60, '2026-11-20T00:00:00Z'),
    one('b', 30, '2026-11-30T00:00:00Z'),
    one('c', 10, 'infinity', 'disk_full'),
  ],
  facets: { failure_class: { values: [{ value: 'oom', count: 120 }], distinct: 2 } },
} as unknown as Triage;
const trends: SignatureTrends = {
  as_of: '2026-11-30T00:00:00Z',
  start: '2026-11-26T00:00:00Z',
  bin_s: DAY_S,
  bins: 4,
  counted_from: null,
  items: [
    { signature: 'a', counts: [20, 20, 20, 0], tasks: [{ task_name: 'clip', count: 60 }], task_count: 1 },
    { signature: 'b', counts: [0, 0, 0, 30], tasks: [{ task_name: 'mosaic', count: 20 }], task_count: 3 },
  ],
};

describe('a list by signature', () => {
  it('asks for the trends of the signatures that it shows, whatever is most frequent lately', () => {
    expect(trendsFilter({ failure_class: ['oom'], signature: ['!d'] }, answer)).toEqual({
      failure_class: ['oom'],
      signature: ['a', 'b', 'c'],
    });
  });

  it('is ordered by count, by the newest failure, or by how much more of it there is', () => {
    const order = (by: 'count' | 'newest' | 'trend') =>
      signatureRows(answer, trends, by).map(({ signature }) => signature);
    expect(order('count')).toEqual(['a', 'b', 'c']);
    expect(order('newest')).toEqual(['c', 'b', 'a']);
    expect(order('trend')).toEqual(['b', 'a', 'c']);
  });

  it('says the share of the class, and leaves out what is not known', () => {
    const rows = signatureRows(answer, null, 'trend');
    expect(rows.map(({ signature, share, trend, tasks }) => [signature, share, trend, tasks])).toEqual([
      ['a', 0.5, null, []],
      ['b', 0.25, null, []],
      ['c', null, null, []],
    ]);
    expect([0, 0.004, 0.25, 1].map(shareText)).toEqual(['0 %', '<1 %', '25 %', '100 %']);
  });

  it('names the first task and how many others there are', () => {
    expect(signatureRows(answer, trends, 'count').map(tasksText)).toEqual(['clip', 'mosaic and 2 more', '']);
  });
});

describe('a trend', () => {
  it.each([
    ['new', [0, 0, 0, 30], 'new: 30 a day lately, none before'],
    ['stopped', [20, 20, 20, 0], 'stopped: none lately, 20 a day before'],
    ['rising', [1, 1, 1, 3], 'rising: 3 a day lately, 1 a day before'],
    ['falling', [9, 9, 9, 1], 'falling: 1 a day lately, 9 a day before'],
    ['steady', [4, 5, 4, 5], 'steady: 5 a day lately, 4.3 a day before'],
  ])('is %s', (word, counts, text) => {
    const trend = trendOf(counts, DAY_S);
    expect(trend.word).toBe(word);
    expect(trendText(trend)).toBe(text);
  });

  it('of one bin is steady, and of bins of a week is told a day', () => {
    expect(trendOf([7], DAY_S).word).toBe('steady');
    expect(trendOf([0, 0, 0, 70], 7 * DAY_S).recent).toBe(10);
  });

  it('is drawn inside its box, whatever was counted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { maxLength: 60 }), (counts) => {
        const path = sparkPath(counts, 72, 14);
        if (counts.every((n) => n === 0)) expect(path).toBe('');
        else {
          const numbers = path.match(/-?[\d.]+/g)!.map(Number);
          expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
          expect(Math.max(...numbers)).toBeLessThanOrEqual(72);
        }
        expect(path).not.toMatch(/NaN|Infinity/);
      }),
    );
  });
});
