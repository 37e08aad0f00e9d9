import { describe, expect, it } from 'vitest';
import { readTriageUrl } from '@/components/triage/triage-url.model';
import {
  isChanged,
  matchingViews,
  searchText,
  viewAddress,
  viewOf,
  viewSearch,
} from '@/components/triage/views/view.model';
import { type View, viewSearchSchema } from '@/lib/contract/view';

const NOW = '2026-11-30T14:32:07.000Z';
const view = (search: string, name = 'Mine', id = '7'): View => ({
  id,
  name,
  queue: null,
  search,
  created_by: 'operator',
  created_at: NOW,
  changed_by: 'operator',
  changed_at: NOW,
  version: '1',
});
const stateOf = (search: string) => readTriageUrl(search).state;

describe('a view of the page', () => {
  it('keeps conditions, order, grouping and the map, not what is open, and is taken by the contract', () => {
    const search = viewSearch(
      stateOf('?src_crs=%E2%88%85&sort=attempts&group=signatures&by=trend&map=7/41/-81&entry=9&tab=history&view=3'),
    );
    expect(search).toBe('?src_crs=%E2%88%85&sort=attempts&group=signatures&by=trend&map=7/41/-81');
    expect(viewSearchSchema.safeParse(search).success).toBe(true);
    expect(viewSearchSchema.safeParse(viewSearch(stateOf(''))).success).toBe(true);
  });

  it('is changed by a condition, an order or a grouping, and by nothing else', () => {
    const own = view('?failure_class=oom&map=3/10/10');
    for (const same of ['?failure_class=oom', '?failure_class=oom&map=9/1/1&entry=4', '?view=7&failure_class=oom'])
      expect(isChanged(own, stateOf(same)), same).toBe(false);
    for (const other of [
      '',
      '?failure_class=oom&srid=1',
      '?failure_class=oom&sort=attempts',
      '?failure_class=oom&group=time',
    ])
      expect(isChanged(own, stateOf(other)), other).toBe(true);
  });

  it('of conditions that nobody knows any more opens with them, says so, and is unchanged', () => {
    const old = view('?colour=red&failure_class=oom&view=1&entry=5', 'Old', '12');
    expect(viewAddress(old)).toBe('?colour=red&failure_class=oom&view=12');
    const { state, unread } = readTriageUrl(viewAddress(old));
    expect(unread.map(({ parameter }) => parameter)).toEqual(['colour']);
    expect(state).toMatchObject({ filter: { failure_class: ['oom'] }, view: '12', entry: null });
    expect(isChanged(old, state)).toBe(false);
    expect(searchText(old.search, NOW)).toBe('class oom, colour, which is not known');
  });

  it('without a condition opens by its number alone', () => {
    expect(viewAddress(view(''))).toBe('?view=7');
    expect(searchText('', NOW)).toBe('all unresolved');
    expect(searchText('?group=time&state=%21open', NOW)).toBe('not state open, by class and time');
  });

  it('is found by its name or its conditions, and told by what it means', () => {
    const views = [view('?failure_class=oom', 'Night shift', '1'), view('?task_name=tile_clip', 'Tiles', '2')];
    const found = (text: string) => matchingViews(views, text, NOW).map(({ id }) => id);
    expect([found(''), found('night'), found('CLIP task'), found('oom clip')]).toEqual([['1', '2'], ['1'], ['2'], []]);
    expect(viewOf('?map=1/1/1&task_name=tile_clip', views)?.id).toBe('2');
    expect(viewOf('?task_name=other', views)).toBeUndefined();
  });
});
