import { queryOptions } from '@tanstack/react-query';
import { entrySchema } from '../contract/entry';
import { decidedSchema, type InDoubtDecision } from '../contract/task';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** One entry whole: payloads, history, versions, manifest, and what a redrive would send. */
export function entryQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.entry.one(id),
    queryFn: ({ signal }) => fetchJson(entrySchema, `/api/dead-letters/${encodeURIComponent(id)}`, { signal }),
  });
}

/** Says what became of a redrive in doubt. Refused with who and when, where it changed since. */
export function decideInDoubt(id: string, body: InDoubtDecision) {
  return fetchJson(decidedSchema, `/api/dead-letters/${encodeURIComponent(id)}/in-doubt`, { method: 'POST', body });
}
