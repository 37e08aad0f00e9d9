import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECENT, type Recent, readRecent, remember } from '@/components/triage/views/recent.model';

const MINUTE_MS = 60_000;

describe('the views looked at last', () => {
  it('are at most ten, each once, the newest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (visits) => {
        const list = visits.reduce<Recent[]>((all, n, i) => remember(all, `?srid=${n}`, i * MINUTE_MS), []);
        expect(list.length).toBeLessThanOrEqual(MAX_RECENT);
        expect(new Set(list.map(({ search }) => search)).size).toBe(list.length);
        const newest = [...new Set(visits.toReversed())].slice(0, MAX_RECENT);
        expect(list.map(({ search }) => search)).toEqual(newest.map((n) => `?srid=${n}`));
      }),
    );
  });

  it('leave out the steps on the way to a filter, and the page without a condition', () => {
    let list = remember([], '?state=open', 0);
    list = remember(list, '?state=open&failure_class=oom', 4_000);
    list = remember(list, '?state=open&failure_class=oom&srid=4326', 9_000);
    expect(list.map(({ search }) => search)).toEqual(['?state=open&failure_class=oom&srid=4326']);
    list = remember(list, '', 10_000);
    list = remember(list, '?state=any', 10 * MINUTE_MS);
    expect(list.map(({ search }) => search)).toEqual(['?state=any', '?state=open&failure_class=oom&srid=4326']);
  });

  it('are none where the browser kept something else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (text) => {
        for (const { search, at } of readRecent(text)) {
          expect(search).toMatch(/^\?/);
          expect(Number.isFinite(at)).toBe(true);
        }
      }),
    );
    const hostile = JSON.stringify([{ search: 'javascript:alert(1)', at: 1 }, { search: '?a=1' }, 7, null]);
    expect(readRecent(hostile)).toEqual([]);
    const kept = JSON.stringify([{ search: '?a=1', at: 1 }]);
    expect(readRecent(kept)).toEqual([{ search: '?a=1', at: 1 }]);
  });
});
