import type { View } from '@/lib/contract/view';
import { conditionsOf } from '../condition.model';
import { readTriageUrl, type TriageState, writeTriageUrl } from '../triage-url.model';

/** What a view keeps of the page: all but the open entry and which view it is. */
export function viewSearch(state: TriageState): string {
  return writeTriageUrl({ ...state, view: null, entry: null, tab: null, fault: null });
}

/** The same without the map's place: to look around changes no view. */
export function comparedSearch(state: TriageState): string {
  return viewSearch({ ...state, map: null });
}

/** Whether the page shows something else than the view does. What could not be read of it never counts. */
export function isChanged(view: View, state: TriageState): boolean {
  return comparedSearch(readTriageUrl(view.search).state) !== comparedSearch(state);
}

/** The search part that opens the view: its own, also what nobody can read of it, and its name's number. */
export function viewAddress({ id, search }: Pick<View, 'id' | 'search'>): string {
  const own = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !/^(view|entry|tab|fault_no)=/.test(part));
  return `?${[...own, `view=${id}`].join('&')}`;
}

/** A filter in a few words: `class crs_mismatch, task tile_clip`; what it is where it has no condition. */
export function searchText(search: string, now: string | number): string {
  const { state, unread } = readTriageUrl(search);
  const words = conditionsOf(state.filter, now).map(
    ({ label, text, excluded }) => `${excluded ? 'not ' : ''}${label} ${text}`,
  );
  const strange = unread.map(({ parameter }) => `${parameter}, which is not known`);
  const group = { entries: [], signatures: ['by signature'], time: ['by class and time'] }[state.group];
  return [...words, ...strange, ...group].join(', ') || 'all unresolved';
}

/** The saved view that means the same as an address, if there is one. */
export function viewOf(search: string, views: readonly View[]): View | undefined {
  const wanted = comparedSearch(readTriageUrl(search).state);
  return views.find((view) => comparedSearch(readTriageUrl(view.search).state) === wanted);
}

/** Views whose name or conditions have every word of `text`. */
export function matchingViews(views: readonly View[], text: string, now: string | number): View[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...views];
  return views.filter((view) => {
    const whole = `${view.name} ${searchText(view.search, now)}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}
