import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { placesSchema } from '../contract/search';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** Countries and regions whose name or code begins so; a whole code stands first. */
export function placesQuery(prefix: string) {
  return queryOptions({
    queryKey: queryKeys.places.like(prefix),
    queryFn: ({ signal }) => fetchJson(placesSchema, `/api/places?${new URLSearchParams({ prefix })}`, { signal }),
    placeholderData: keepPreviousData,
    // places do not change while a page is open
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
