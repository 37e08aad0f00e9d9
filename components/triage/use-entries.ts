'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '@/lib/api/query-keys';
import { askList } from '@/lib/api/triage';
import type { List, ListItem } from '@/lib/contract/triage';
import type { Shown } from './use-triage-answer';

const EMPTY: List = { items: [], next_cursor: null, prev_cursor: null };

/** The list of an answer: its first page came with it, those behind and before follow by cursor; empty before any. */
export function useEntries(shown: Shown | null) {
  const filter = shown?.filter ?? {};
  const { at: _, ...order } = shown?.order ?? {};
  const { items: first, next_cursor, prev_cursor } = shown?.answer ?? EMPTY;
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.list.all, shown?.filterText, shown?.order, shown?.answer.as_of],
    queryFn: ({ signal, pageParam }) => askList(filter, order, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    getPreviousPageParam: (page) => page.prev_cursor,
    initialData: { pages: [{ items: first, next_cursor, prev_cursor }], pageParams: [null] },
    // pages are asked for by `loadMore` and `loadBefore` alone
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = useMemo(() => {
    // an entry that failed again between two pages may come twice
    const byId = new Map<string, ListItem>();
    for (const page of query.data.pages) for (const item of page.items) if (!byId.has(item.id)) byId.set(item.id, item);
    return [...byId.values()];
  }, [query.data]);
  return {
    items,
    /** Nothing lies behind what is loaded. */
    ends: !query.hasNextPage,
    /** Nothing lies before it. */
    begins: !query.hasPreviousPage,
    complete: !query.hasNextPage && !query.hasPreviousPage,
    failed: query.isFetchNextPageError,
    failedBefore: query.isFetchPreviousPageError,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
    loadBefore: () => {
      if (query.hasPreviousPage && !query.isFetching) void query.fetchPreviousPage();
    },
  };
}
export type Entries = ReturnType<typeof useEntries>;
