'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/lib/api/api-error';
import { askTriage, type Order, triageQuery } from '@/lib/api/triage';
import type { Filter } from '@/lib/contract/filter';
import type { Triage } from '@/lib/contract/triage';
import { type Arrivals, arrivalsSince } from './arrivals.model';

/** One answer with the question it answers; every part of the page is drawn from the same one. */
export type Shown = { answer: Triage; filter: Filter; filterText: string; order: Order };

const RETRY_MS = 5_000;
const ARRIVALS_MS = 10_000;

const isRefused = (error: Error | null) => error instanceof ApiError && error.code === 'bad_request';

/**
 * The answer shown, and the one that is being asked for. The last good answer stays through a change of the filter and
 * through an outage (then `stale`). While nothing is ticked, `arrivals` says what a newer answer would change; it is
 * shown only when taken.
 */
export function useTriageAnswer(filter: Filter, filterText: string, order: Order, holdArrivals: boolean) {
  const client = useQueryClient();
  const options = triageQuery(filter, order);
  const query = useQuery({
    ...options,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' && !isRefused(state.error) ? RETRY_MS : false),
  });
  const [shown, setShown] = useState<Shown | null>(
    query.data && !query.isPlaceholderData ? { answer: query.data, filter, filterText, order } : null,
  );
  const current = query.data && !query.isPlaceholderData ? query.data : null;
  if (current && (shown?.answer !== current || shown.filterText !== filterText))
    setShown({ answer: current, filter, filterText, order });
  const arriving = useQuery({
    queryKey: [...options.queryKey, 'arrivals', current?.as_of],
    queryFn: ({ signal }) => askTriage(filter, order, signal),
    ...(current ? { initialData: current } : {}),
    staleTime: ARRIVALS_MS,
    gcTime: 0,
    enabled: current !== null && !holdArrivals && !query.isError,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : ARRIVALS_MS),
  });
  const newer = arriving.data;
  // an outage shows on a page that nobody touches too
  const failing = query.isError ? query : arriving.isError ? arriving : null;
  const arrivals: Arrivals | null =
    current && newer && newer !== current
      ? arrivalsSince(current, newer, order.sort === 'failed_at' && order.dir === 'desc' && !order.at)
      : null;
  return {
    shown,
    stale: shown !== null && current === null,
    error: failing?.error ?? null,
    /** The server does not take the filter: asking again helps nothing. */
    refused: isRefused(failing?.error ?? null),
    retry_at: failing && !isRefused(failing.error) ? failing.errorUpdatedAt + RETRY_MS : null,
    fetching: query.isFetching,
    retry: () => void (failing ?? query).refetch(),
    arrivals,
    takeArrivals: () => {
      if (newer) client.setQueryData(options.queryKey, newer);
    },
  };
}
