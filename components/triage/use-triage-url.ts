'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { filterToSearch } from '@/lib/contract/filter';
import { readTriageUrl, type TriageState, writeTriageUrl } from './triage-url.model';

const listeners = new Set<() => void>();
function announce(): void {
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

export type GoTo = (change: (state: TriageState) => Partial<TriageState>, how?: 'push' | 'replace') => void;

/**
 * The page's state, which is its address and nothing else. `go` writes at once through the browser's own history (a
 * router navigation would ask the server for the page again): `push` for what a person commits, `replace` for pan,
 * brush and stepping through entries.
 */
export function useTriageUrl(firstSearch: string) {
  const search = useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => firstSearch,
  );
  // a link of the app bar changes the address through the router, which announces nothing else
  const routed = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router's parameters are the signal, not an input
  useEffect(announce, [routed]);
  const { state, unread } = useMemo(() => readTriageUrl(search), [search]);
  const filterText = filterToSearch(state.filter).toString();
  // the same filter stays the same object while other parts of the address change
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal texts are equal filters
  const filter = useMemo(() => state.filter, [filterText]);
  const mapText = JSON.stringify(state.map);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal texts are equal views
  const map = useMemo(() => state.map, [mapText]);
  const go: GoTo = useCallback((change, how = 'push') => {
    const now = readTriageUrl(window.location.search).state;
    const next = writeTriageUrl({ ...now, ...change(now) });
    if (next === window.location.search) return;
    const address = `${window.location.pathname}${next}`;
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
    announce();
  }, []);
  /** Goes to an address as it is, with what the page cannot read of it. */
  const visit = useCallback((next: string, how: 'push' | 'replace' = 'push') => {
    const address = `${window.location.pathname}${next}`;
    if (how === 'push') window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
    announce();
  }, []);
  return { ...state, state, filter, map, filterText, unread, go, visit };
}
export type TriageUrl = ReturnType<typeof useTriageUrl>;
