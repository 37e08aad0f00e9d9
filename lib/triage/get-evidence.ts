import { z } from 'zod';
import { type EvidenceRow, getEvidenceRow } from '@/db/queries/get-evidence';
import { type Evidence, evidenceSchema, faultSchema } from '@/lib/contract/entry';
import { noSuchEntry, readEntryId } from './entry-id';
import { evidenceFor } from './mask';
import type { TriageContext } from './triage-context';

/** 32 MB as hex: about a million vertices, more than a browser draws in a second. */
export const MAX_GEOMETRY_BYTES = 16_000_000;

/**
 * An entry's geometry as stored and what was computed from it. The reprojection is the footprint by the database's PROJ,
 * unrepaired. @throws DlqError not_found.
 */
export async function getEvidence(ctx: TriageContext, { id }: { id: string }): Promise<Evidence> {
  const { role } = ctx.actor;
  const row = await getEvidenceRow(ctx.db, readEntryId(id), role, MAX_GEOMETRY_BYTES);
  if (!row) throw noSuchEntry(id);
  const evidence: Evidence = {
    id: row.id,
    geom_wkb: row.geom_wkb,
    geom_omitted: omittedBecause(row),
    valid: row.valid,
    mappable: row.placed && row.unmappable_reason === null,
    unmappable_reason: row.unmappable_reason,
    faults: readable(faultSchema, row.faults),
    crs_verdict: row.crs_verdict,
    crs_reason: row.crs_reason,
    candidates: readable(evidenceSchema.shape.candidates.element, row.candidates),
    suggestion: row.suggestion,
    area_of_use: null,
    reprojected_wkb: row.placed ? row.reprojected_wkb : null,
    reproject_error: row.reproject_error,
    diagnosed_at: row.diagnosed_at,
  };
  return evidenceFor(evidence, row.sensitive, role);
}

function omittedBecause({ geom_bytes, reprojected_bytes, payload_ref }: EvidenceRow): string | null {
  const limit = `over the ${MAX_GEOMETRY_BYTES / 1e6} MB that this view shows`;
  if (geom_bytes !== null && geom_bytes > MAX_GEOMETRY_BYTES)
    return `the geometry has ${megabytes(geom_bytes)}, ${limit}`;
  if (geom_bytes === null && payload_ref !== null) return `the geometry is kept by reference: ${payload_ref}`;
  if (reprojected_bytes !== null && reprojected_bytes > MAX_GEOMETRY_BYTES)
    return `the reprojected geometry has ${megabytes(reprojected_bytes)}, ${limit}`;
  return null;
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
