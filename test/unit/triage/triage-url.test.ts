import { describe, expect, it } from 'vitest';
import { readTriageUrl, START, writeTriageUrl } from '@/components/triage/triage-url.model';

describe('the address of the triage page', () => {
  it('is empty for the page as it starts', () => {
    expect(writeTriageUrl(START)).toBe('');
    expect(readTriageUrl('').state).toEqual(START);
  });

  it('gives back everything that was written to it', () => {
    const state = {
      filter: { state: ['open'], src_crs: ['OH-N ft', '!EPSG:4326'], since: '2026-11-24T00:00:00.000Z' },
      sort: 'attempts',
      dir: 'asc',
      at: null,
      group: 'signatures',
      by: 'trend',
      view: '12',
      map: { center: [-81.5, 41.25], zoom: 7.5 },
      layer: 'displacement',
      entry: '9007199254740993',
      tab: 'history',
      fault: '2',
    } satisfies typeof START;
    expect(readTriageUrl(writeTriageUrl(state)).state).toEqual(state);
  });

  it('tells the condition on faults from the fault that the inspector shows', () => {
    const { state, unread } = readTriageUrl('?fault=spike&fault=!curve&entry=7&fault_no=3');
    expect(unread).toEqual([]);
    expect(state).toEqual({ ...START, filter: { fault: ['spike', '!curve'] }, entry: '7', fault: '3' });
    expect(writeTriageUrl(state)).toBe('?fault=spike&fault=%21curve&entry=7&fault_no=3');
  });

  it('holds the layer of the map that is on, and knows no other word for one', () => {
    expect(writeTriageUrl({ ...START, layer: 'displacement' })).toBe('?layer=displacement');
    expect(readTriageUrl('?layer=heat')).toEqual({ state: START, unread: [] });
  });

  it('forgets the tab with the entry it belongs to', () => {
    expect(writeTriageUrl({ ...START, tab: 'history' })).toBe('');
  });

  it('uses what it can read and names the rest', () => {
    const { state, unread } = readTriageUrl('?failure_class=oom&colour=red&since=yesterday&map=99/0/0&entry=x');
    expect(state).toEqual({ ...START, filter: { failure_class: ['oom'] } });
    expect(unread.map(({ parameter, value }) => [parameter, value])).toEqual([
      ['since', 'yesterday'],
      ['colour', 'red'],
    ]);
  });
});
