import { queryOptions } from '@tanstack/react-query';
import { evidenceSchema } from '../contract/entry';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** An entry's geometry as stored (hex), its faults and its reprojection (hex EWKB, 4326). Can be tens of megabytes. */
export function evidenceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.evidence.one(id),
    queryFn: ({ signal }) =>
      fetchJson(evidenceSchema, `/api/dead-letters/${encodeURIComponent(id)}/evidence`, { signal }),
    // a payload of a million vertices is held only while someone looks at it
    gcTime: 30_000,
    // Typed arrays are made from the hex once; comparing 64 MB of text to keep an object identity costs more.
    structuralSharing: false,
  });
}
