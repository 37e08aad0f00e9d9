import type { EvidenceRow } from '@/db/queries/get-evidence';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { readReferenced } from '@/lib/blobs/read-referenced';
import { DlqError } from '@/lib/contract/error';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';

/** A million vertices with Z and M. What is larger is taken from the database or the blob store. */
export const MAX_GEOMETRY_BYTES = 40_000_000;

const LIMIT = `over the ${MAX_GEOMETRY_BYTES / 1e6} MB that this view shows`;

/** The bytes as stored, or why they are not here; neither where there is no geometry, or where the row was asked for without. */
export interface EntryGeometry {
  bytes: Uint8Array | null;
  omitted: string | null;
}

/** From the row or from the blob store. */
export async function entryGeometry(
  { geom_wkb, geom_bytes, geom_given, payload_ref, geom_format }: EvidenceRow,
  openStore: () => BlobStore,
): Promise<EntryGeometry> {
  const none = (omitted: string) => ({ bytes: null, omitted });
  if (geom_bytes !== null && geom_bytes > MAX_GEOMETRY_BYTES)
    return none(`the geometry has ${megabytes(geom_bytes)}, ${LIMIT}`);
  if (geom_bytes !== null || geom_given || payload_ref === null) return { bytes: geom_wkb, omitted: null };
  try {
    const read = await readReferenced(openStore(), { payload_ref, geom_format }, MAX_GEOMETRY_BYTES);
    if (!('problem' in read)) return { bytes: read.wkb, omitted: null };
    if (read.problem !== 'too_large') return none(read.message);
    return none(
      `the geometry is kept by reference and ${LIMIT}; its bytes are at /api/blobs/${sha256OfRef(payload_ref)}`,
    );
  } catch (error) {
    // What is known without the blob is shown all the same.
    if (error instanceof DlqError && error.code === 'storage_unavailable') return none(error.message);
    throw error;
  }
}

export function reprojectionOmitted({ reprojected_bytes }: EvidenceRow): string | null {
  if (reprojected_bytes === null || reprojected_bytes <= MAX_GEOMETRY_BYTES) return null;
  return `the reprojected geometry has ${megabytes(reprojected_bytes)}, ${LIMIT}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
