import { infiniteQueryOptions } from '@tanstack/react-query';
import { capturedSchema } from '../contract/capture';
import { rejectedLineSchema, rejectedListSchema, spoolSchema } from '../contract/spool';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** The watched spools, and their files, newest first. Each page repeats the sources and counts as they were then. */
export function spoolQuery() {
  return infiniteQueryOptions({
    queryKey: queryKeys.spool.state(),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(spoolSchema, `/api/spool${pageParam ? `?cursor=${encodeURIComponent(pageParam)}` : ''}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Lines that could not be taken, newest first: those nobody has dealt with, or the others. */
export function rejectedQuery(is_open: boolean) {
  return infiniteQueryOptions({
    queryKey: queryKeys.spool.rejected(is_open),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(
        rejectedListSchema,
        `/api/spool/rejected?open=${is_open}${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ''}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Tries the stored text once more. */
export const retryRejected = (id: string) => fetchJson(capturedSchema, pathOf(id, 'retry'), { method: 'POST' });

/** Says that nothing more is to be done about a line. */
export const dismissRejected = (id: string) => fetchJson(rejectedLineSchema, pathOf(id, 'dismiss'), { method: 'POST' });

const pathOf = (id: string, verb: string) => `/api/spool/rejected/${encodeURIComponent(id)}/${verb}`;
