'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Bbox } from '@/components/map/geodesy';
import { queryKeys } from '@/lib/api/query-keys';
import { askTriage } from '@/lib/api/triage';
import { filterInView } from './ledger.model';
import type { Shown } from './use-triage-answer';

/**
 * How many of the shown entries lie in the map's view: counted by the server with the view as the filter's box, not from
 * tiles, whose cells stick out over the edge. Null while it is not known. No question is asked when the view holds all.
 */
export function useInView({ answer, filter }: Shown, view: Bbox | null): number | null {
  const mapped = answer.total - answer.not_mapped.total;
  const holdsAll = view !== null && (answer.extent === null || holds(view, answer.extent));
  const inside = view === null || holdsAll ? undefined : filterInView(filter, view);
  const { data } = useQuery({
    queryKey: [...queryKeys.triage.all, 'in view', inside, answer.as_of],
    queryFn: ({ signal }) => askTriage(inside ?? {}, { limit: 1 }, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled: inside !== undefined && inside !== null,
    select: ({ total }) => total,
  });
  if (holdsAll || mapped === 0) return mapped;
  if (inside === null) return 0;
  return inside === undefined ? null : (data ?? null);
}

function holds(view: Bbox, extent: Bbox): boolean {
  if (view[0] > view[2] || extent[0] > extent[2]) return false;
  return view[0] <= extent[0] && view[1] <= extent[1] && view[2] >= extent[2] && view[3] >= extent[3];
}
