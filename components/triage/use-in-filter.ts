'use client';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '@/lib/api/query-keys';
import { askTriage } from '@/lib/api/triage';
import type { Entries } from './use-entries';
import type { Shown } from './use-triage-answer';

/**
 * Whether the open entry matches the shown filter. The rows loaded tell where they can; else the server is asked for
 * that one entry. True while it is not known: a wrong “not in this filter” would be worse than a late one.
 */
export function useInFilter(id: string | null, shown: Shown | null, entries: Entries): boolean {
  const loaded = id !== null && entries.items.some((item) => item.id === id);
  const unknown = id !== null && shown !== null && !loaded && !entries.complete;
  const { data } = useQuery({
    queryKey: [...queryKeys.triage.all, 'in filter', id, shown?.filterText, shown?.answer.as_of],
    queryFn: ({ signal }) => askTriage({ ...shown?.filter, ids: [id ?? ''] }, { limit: 1 }, signal),
    enabled: unknown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    select: ({ total }) => total > 0,
  });
  if (loaded || shown === null) return true;
  return unknown ? (data ?? true) : false;
}
