import { queryOptions } from '@tanstack/react-query';
import { entrySchema } from '../contract/entry';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** One entry whole: payloads, history, versions, manifest, and what a redrive would send. */
export function entryQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.entry.one(id),
    queryFn: ({ signal }) => fetchJson(entrySchema, `/api/dead-letters/${encodeURIComponent(id)}`, { signal }),
  });
}
