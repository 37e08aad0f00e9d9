import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { displacementSchema } from '../contract/displacement';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** How the entries of a filter lie to their tiles; `query` is the filter as search parameters, as the map has it. */
export function displacementQuery(query: string) {
  return queryOptions({
    queryKey: queryKeys.displacement.of(query),
    queryFn: ({ signal }) => fetchJson(displacementSchema, `/api/displacement?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}
