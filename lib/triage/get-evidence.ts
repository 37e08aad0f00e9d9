import { z } from 'zod';
import { type EvidenceRow, getEvidenceRow } from '@/db/queries/get-evidence';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { readReferenced } from '@/lib/blobs/read-referenced';
import { candidateSchema, type Evidence, faultSchema } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';
import { noSuchEntry, readEntryId } from './entry-id';
import { evidenceFor, isMasked } from './mask';
import type { TriageContext } from './triage-context';

/** 32 MB as hex: about a million vertices, more than a browser draws in a second. */
export const MAX_GEOMETRY_BYTES = 16_000_000;

/**
 * An entry's geometry as stored and what was computed from it. The reprojection is the footprint by the database's PROJ,
 * unrepaired. @throws DlqError not_found.
 */
export async function getEvidence(
  ctx: TriageContext,
  { id }: { id: string },
  openStore: () => BlobStore = getBlobStore,
): Promise<Evidence> {
  const { role } = ctx.actor;
  const row = await getEvidenceRow(ctx.db, readEntryId(id), role, MAX_GEOMETRY_BYTES);
  if (!row) throw noSuchEntry(id);
  const { geom_wkb, geom_omitted } = isMasked(row.sensitive, role)
    ? { geom_wkb: null, geom_omitted: null }
    : await geometryOf(row, openStore);
  const evidence: Evidence = {
    id: row.id,
    geom_wkb,
    geom_bytes_at: null,
    geom_omitted: geom_omitted ?? reprojectionOmitted(row),
    valid: row.valid,
    mappable: row.placed && row.unmappable_reason === null,
    unmappable_reason: row.unmappable_reason,
    faults: readable(faultSchema, row.faults),
    crs_verdict: row.crs_verdict,
    also: row.also ?? [],
    crs_reason: row.crs_reason,
    candidates: readable(candidateSchema, row.candidates),
    suggestion: row.suggestion,
    claim: null,
    area_of_use: null,
    area_of_use_source: null,
    cursor_link: null,
    cursor_link_reason: null,
    reprojected_wkb: row.placed ? row.reprojected_wkb : null,
    reprojected_at: null,
    reproject_error: row.reproject_error,
    diagnosed_at: row.diagnosed_at,
  };
  return evidenceFor(evidence, row.sensitive, role);
}

const LIMIT = `over the ${MAX_GEOMETRY_BYTES / 1e6} MB that this view shows`;

/** The bytes as hex, from the row or from the blob store, or why they are not here. */
async function geometryOf(
  { geom_wkb, geom_bytes, geom_given, payload_ref, geom_format }: EvidenceRow,
  openStore: () => BlobStore,
): Promise<Pick<Evidence, 'geom_wkb' | 'geom_omitted'>> {
  const omitted = (geom_omitted: string) => ({ geom_wkb: null, geom_omitted });
  if (geom_bytes !== null && geom_bytes > MAX_GEOMETRY_BYTES)
    return omitted(`the geometry has ${megabytes(geom_bytes)}, ${LIMIT}`);
  if (geom_bytes !== null || geom_given || payload_ref === null) return { geom_wkb, geom_omitted: null };
  try {
    const read = await readReferenced(openStore(), { payload_ref, geom_format }, MAX_GEOMETRY_BYTES);
    if (!('problem' in read)) return { geom_wkb: Buffer.from(read.wkb).toString('hex'), geom_omitted: null };
    if (read.problem !== 'too_large') return omitted(read.message);
    return omitted(
      `the geometry is kept by reference and ${LIMIT}; its bytes are at /api/blobs/${sha256OfRef(payload_ref)}`,
    );
  } catch (error) {
    // What is known without the blob is shown all the same.
    if (error instanceof DlqError && error.code === 'storage_unavailable') return omitted(error.message);
    throw error;
  }
}

function reprojectionOmitted({ reprojected_bytes }: EvidenceRow): string | null {
  if (reprojected_bytes === null || reprojected_bytes <= MAX_GEOMETRY_BYTES) return null;
  return `the reprojected geometry has ${megabytes(reprojected_bytes)}, ${LIMIT}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The elements that follow the contract: one that a hand wrote otherwise must not hide the rest. */
function readable<Schema extends z.ZodType>(schema: Schema, elements: unknown): z.output<Schema>[] {
  return z
    .array(z.unknown())
    .catch([])
    .parse(elements)
    .flatMap((element) => {
      const parsed = schema.safeParse(element);
      return parsed.success ? [parsed.data] : [];
    });
}
