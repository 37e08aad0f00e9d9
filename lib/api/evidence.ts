import { queryOptions } from '@tanstack/react-query';
import { type Evidence, evidenceSchema, ghostSchema } from '../contract/entry';
import { bytesFromHex } from '../wkb/hex';
import { fetchBytes } from './fetch-bytes';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** A payload of a million vertices is held only while someone looks at it. */
const HELD_MS = 30_000;

/** An entry's geometry as stored, its faults and its reprojection; a large geometry by its address (`fetchGeometryBytes`). */
export function evidenceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.evidence.one(id),
    queryFn: ({ signal }) =>
      fetchJson(evidenceSchema, `/api/dead-letters/${encodeURIComponent(id)}/evidence`, { signal }),
    gcTime: HELD_MS,
    structuralSharing: false,
  });
}

/**
 * The bytes as stored: from the answer itself, or fetched where they are too many for it; null where there are none here
 * (`geom_omitted` says why). @throws ApiError.
 */
export async function fetchGeometryBytes(
  { geom_wkb, geom_bytes_at }: Pick<Evidence, 'geom_wkb' | 'geom_bytes_at'>,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  return bytesOf(geom_wkb, geom_bytes_at, signal);
}

/** The reprojection as EWKB in EPSG:4326, from the answer itself or fetched; null where there is none. @throws ApiError. */
export async function fetchReprojectedBytes(
  { reprojected_wkb, reprojected_at }: Pick<Evidence, 'reprojected_wkb' | 'reprojected_at'>,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  return bytesOf(reprojected_wkb, reprojected_at, signal);
}

async function bytesOf(hex: string | null, path: string | null, signal: AbortSignal | undefined) {
  if (hex !== null) return bytesFromHex(hex);
  return path === null ? null : fetchBytes(path, signal);
}

/** How a candidate reads the stored numbers. */
export interface Reading {
  crs: string;
  swapped: boolean;
  x_sign: 1 | -1;
  y_sign: 1 | -1;
}

/** The entry's geometry as if it were in that CRS, by the database's PROJ. */
export function ghostQuery(id: string, { crs, swapped, x_sign, y_sign }: Reading) {
  const search = new URLSearchParams({
    crs,
    swapped: String(swapped),
    x_sign: String(x_sign),
    y_sign: String(y_sign),
  }).toString();
  return queryOptions({
    queryKey: queryKeys.evidence.ghost(id, search),
    queryFn: ({ signal }) =>
      fetchJson(ghostSchema, `/api/dead-letters/${encodeURIComponent(id)}/ghost?${search}`, { signal }),
    gcTime: HELD_MS,
    structuralSharing: false,
  });
}
