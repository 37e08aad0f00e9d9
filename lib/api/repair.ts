import { queryOptions } from '@tanstack/react-query';
import { type RepairMethod, repairSchema } from '../contract/repair';
import { fetchJson } from './fetch-json';

/** What a repair of the payload of this hash would do. Computed anew for each payload and method, and kept while it is looked at. */
export function repairQuery(id: string, payload_hash: string, method: RepairMethod) {
  return queryOptions({
    queryKey: ['repair', id, payload_hash, method] as const,
    queryFn: ({ signal }) =>
      fetchJson(repairSchema, `/api/dead-letters/${encodeURIComponent(id)}/repair?method=${method}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    structuralSharing: false,
  });
}
