import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Filter, filterToSearch } from '../contract/filter';
import { paramSuggestionsSchema, type SuggestedField, valueSuggestionsSchema } from '../contract/search';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** How long a suggestion is worth showing without asking again. */
const FRESH_MS = 60_000;

/** Values of a many-valued field that begin with `prefix`. */
export function valuesQuery(field: SuggestedField, prefix: string, filter: Filter) {
  const search = filterToSearch(filter);
  search.set('field', field);
  search.set('prefix', prefix);
  return suggested(search, (signal) => fetchJson(valueSuggestionsSchema, `/api/suggest/values?${search}`, { signal }));
}

/** Paths of parameters that begin with `prefix`, or, where `path` is given, its values that do. */
export function paramsQuery(path: string | null, prefix: string, filter: Filter) {
  const search = filterToSearch(filter);
  if (path !== null) search.set('path', path);
  search.set('prefix', prefix);
  return suggested(search, (signal) => fetchJson(paramSuggestionsSchema, `/api/suggest/params?${search}`, { signal }));
}

/** The last answer stays while a word grows; whoever asks another question ignores it. */
function suggested<Answer>(search: URLSearchParams, ask: (signal: AbortSignal) => Promise<Answer>) {
  return queryOptions({
    queryKey: queryKeys.suggest.of(search.toString()),
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  });
}
