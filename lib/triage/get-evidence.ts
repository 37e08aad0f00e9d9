import { z } from 'zod';
import { type EvidenceRow, getEvidenceRow } from '@/db/queries/get-evidence';
import { sampleVertices } from '@/db/queries/sample-vertices';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { candidateSchema, type Evidence, faultSchema } from '@/lib/contract/entry';
import { areaOfUseSource } from './area-of-use-source';
import { COMPARED, checkCursorLink, type Place, verticesOf } from './check-cursor-link';
import { claimedSource, claimFacts } from './claimed-source';
import { entryGeometry, reprojectionOmitted } from './entry-geometry';
import { noSuchEntry, readEntryId } from './entry-id';
import { evidenceFor, isMasked } from './mask';
import type { TriageContext } from './triage-context';

/** A geometry of more bytes is at an address of its own: as hex in JSON a million vertices took 2 s and 64 MB. */
export const INLINE_BYTES = 256_000;

const NOT_SHOWN = { bytes: null, omitted: null };

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
  const row = await getEvidenceRow(ctx.db, readEntryId(id), role, {
    most_bytes: INLINE_BYTES,
    inline_bytes: INLINE_BYTES,
  });
  if (!row) throw noSuchEntry(id);
  const is_masked = isMasked(row.sensitive, role);
  const { bytes, omitted } = is_masked ? NOT_SHOWN : await entryGeometry(row, openStore);
  const is_inline = bytes !== null && bytes.length <= INLINE_BYTES;
  // one that was not read is there all the same: its bytes would take a second on their way from the database
  const is_there = bytes !== null || (!is_masked && omitted === null && row.geom_bytes !== null);
  const too_large = reprojectionOmitted(row);
  const evidence: Evidence = {
    id: row.id,
    geom_wkb: is_inline ? Buffer.from(bytes).toString('hex') : null,
    geom_bytes_at: is_inline || !is_there ? null : `/api/dead-letters/${row.id}/geometry?format=wkb`,
    geom_omitted: omitted ?? too_large,
    valid: row.valid,
    mappable: row.placed && row.unmappable_reason === null,
    unmappable_reason: row.unmappable_reason,
    faults: readable(faultSchema, row.faults),
    crs_verdict: row.crs_verdict,
    also: row.also ?? [],
    crs_reason: row.crs_reason,
    candidates: readable(candidateSchema, row.candidates),
    suggestion: row.suggestion,
    ...(await factsOfClaim(ctx, row, bytes ? verticesOf(bytes) : is_there ? await verticesIn(ctx, row.id) : null)),
    reprojected_wkb: row.placed ? row.reprojected_wkb : null,
    reprojected_at:
      row.placed && row.reprojected_bytes !== null && row.reprojected_wkb === null && too_large === null
        ? `/api/dead-letters/${row.id}/reprojected`
        : null,
    reproject_error: row.reproject_error,
    diagnosed_at: row.diagnosed_at,
  };
  return evidenceFor(evidence, row.sensitive, role);
}

/** What the registry and the database say of the claimed CRS. */
async function factsOfClaim(
  ctx: TriageContext,
  { src_crs, srid }: EvidenceRow,
  vertices: Place[] | null,
): Promise<Pick<Evidence, 'claim' | 'area_of_use' | 'area_of_use_source' | 'cursor_link' | 'cursor_link_reason'>> {
  const claimed = claimedSource(src_crs, srid);
  const area = claimed.record?.area ?? null;
  return {
    claim: claimed.record && claimFacts(claimed.record),
    area_of_use: area,
    area_of_use_source: area && claimed.source ? await areaOfUseSource(ctx.db, area, claimed.source) : null,
    ...(vertices
      ? await checkCursorLink(ctx.db, vertices, claimed)
      : { cursor_link: null, cursor_link_reason: 'there is no geometry here to check proj4 by' }),
  };
}

async function verticesIn(ctx: TriageContext, id: string): Promise<Place[]> {
  const numbers = await sampleVertices(ctx.db, id, COMPARED);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]).filter(
    (pair): pair is Place => pair.every(Number.isFinite),
  );
}

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
