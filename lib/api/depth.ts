import { queryOptions } from '@tanstack/react-query';
import { depthSchema } from '../contract/health';
import { fetchJson } from './fetch-json';

/** Entries not resolved, now, by queue, task, class and state. */
export function depthQuery() {
  return queryOptions({
    queryKey: ['depth'] as const,
    queryFn: ({ signal }) => fetchJson(depthSchema, '/api/depth', { signal }),
  });
}
