'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '@/lib/api/query-keys';
import { askList } from '@/lib/api/triage';
import type { ListItem } from '@/lib/contract/triage';
import type { Shown } from './use-triage-answer';

/** The list of an answer: its first page came with it, the others follow by cursor; empty before any. */
export function useEntries(shown: Shown | null) {
  const filter = shown?.filter ?? {};
  const order = shown?.order ?? {};
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.list.all, shown?.filterText, order, shown?.answer.as_of],
    queryFn: ({ signal, pageParam }) => askList(filter, order, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: {
      pages: [{ items: shown?.answer.items ?? [], next_cursor: shown?.answer.next_cursor ?? null }],
      pageParams: [null],
    },
    // pages are asked for by `loadMore` alone
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
    complete: !query.hasNextPage,
    failed: query.isFetchNextPageError,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
}
export type Entries = ReturnType<typeof useEntries>;
