import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Filter, filterToSearch } from '../contract/filter';
import { signatureTrendsSchema } from '../contract/signature-trends';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** The trends of an answer's signatures, of its moment: another answer asks for them anew, the old ones stay meanwhile. */
export function signatureTrendsQuery(filter: Filter, as_of: string) {
  return queryOptions({
    queryKey: queryKeys.triage.trends(filter, as_of),
    queryFn: ({ signal }) =>
      fetchJson(signatureTrendsSchema, `/api/triage/signatures?${filterToSearch(filter)}`, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
