import { describe, expect, it } from 'vitest';
import { conditionsOf, tickOf, toggleExclusion, toggleValue } from '@/components/triage/condition.model';
import type { Filter } from '@/lib/contract/filter';

const NOW = '2026-11-30T14:32:07.000Z';
const texts = (filter: Parameters<typeof conditionsOf>[0]) =>
  conditionsOf(filter, NOW).map(({ label, text, excluded }) => `${excluded ? 'not ' : ''}${label} ${text}`);

describe('the chips of a filter', () => {
  it('say one value, several, and many', () => {
    expect(texts({ failure_class: ['oom'] })).toEqual(['class oom']);
    expect(texts({ failure_class: ['oom', 'unknown'] })).toEqual(['class oom or unknown']);
    expect(texts({ task_name: ['a', 'b', 'c', 'd'] })).toEqual(['task a, b or 2 more']);
  });

  it('are two where a field both takes and excludes values', () => {
    expect(texts({ task_name: ['tile_*', '!tile_clip'] })).toEqual(['task tile_*', 'not task tile_clip']);
  });

  it('shorten a signature and say none for no value', () => {
    expect(texts({ signature: ['7a6afc6de6a460c2'], src_crs: ['∅'] })).toEqual(['CRS none', 'signature 7a6afc6d']);
  });

  it('make one chip of a period, which names its last day', () => {
    expect(texts({ since: '2026-11-24T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' })).toEqual([
      'failed 24 – 30 Nov',
    ]);
  });

  it('say each parameter alone, places by their names, an area by its corners, and words as they are', () => {
    const filter: Filter = {
      params: [
        { path: 'zoom', op: '>', value: 3 },
        { path: 'mode', op: 'in', value: ['a', 'b'] },
        { path: 'nodata', op: 'exists' },
      ],
      place: ['US-OH', 'CA'],
      polygon: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      q: 'lie "outside of"',
    };
    const found = conditionsOf(filter, NOW, new Map([['US-OH', 'Ohio']]));
    expect(found.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'param zoom: > 3',
      'param mode: a or b',
      'param nodata: is given',
      'touches: Ohio or CA',
      'touches: an area of 3 corners',
      'text: lie "outside of"',
    ]);
    expect(found[1]?.without.params).toEqual([filter.params?.[0], filter.params?.[2]]);
    expect(found[1]?.part).toEqual({ params: [filter.params?.[1]] });
  });

  it('leave the rest of the filter when removed', () => {
    const filter = { failure_class: ['oom', '!unknown'], since: NOW };
    const without = conditionsOf(filter, NOW).map((condition) => condition.without);
    expect(without).toEqual([
      { failure_class: ['!unknown'], since: NOW },
      { failure_class: ['oom'], since: NOW },
      { failure_class: ['oom', '!unknown'] },
    ]);
  });
});

describe('a tick in a facet', () => {
  it('adds a value, and takes it away again without leaving an empty field', () => {
    const once = toggleValue({}, 'state', 'open');
    expect(once).toEqual({ state: ['open'] });
    expect(toggleValue(once, 'state', 'open')).toEqual({});
  });

  it('turns into an exclusion of the same value and back to nothing', () => {
    const excluded = toggleExclusion({ state: ['open'] }, 'state', 'open');
    expect(excluded).toEqual({ state: ['!open'] });
    expect(tickOf(excluded, 'state', 'open')).toBe('excluded');
    expect(toggleExclusion(excluded, 'state', 'open')).toEqual({});
  });
});
