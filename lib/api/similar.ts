import { queryOptions } from '@tanstack/react-query';
import { similarSchema } from '../contract/similar';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** How many are like an entry, and in what. */
export function similarQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.similar.to(id),
    queryFn: ({ signal }) =>
      fetchJson(similarSchema, `/api/dead-letters/${encodeURIComponent(id)}/similar`, { signal }),
  });
}
