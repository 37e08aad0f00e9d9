import type { SourceCrs } from '@/db/queries/place-vertices';
import type { Claim } from '@/lib/contract/entry';
import { type CrsClaim, projText, readClaim } from '@/lib/crs/claim';
import { identifyClaim } from '@/lib/crs/registry/identify';
import type { CrsRecord } from '@/lib/crs/registry/registry';

/** PostGIS clamps greater numbers to another one, so they name no CRS. */
const MAX_SRID = 998_999;

export interface ClaimedSource {
  /** Of the registry; null for a claim that it does not know. */
  record: CrsRecord | null;
  /** What the database reprojects from; null where there is nothing to try. */
  source: SourceCrs | null;
  /** A PROJ string that was claimed itself. */
  proj_text: string | null;
}

/** The text decides; the number on the geometry only where there is no text. */
export function claimedSource(src_crs: string | null, srid: number | null): ClaimedSource {
  const by_text = readClaim(src_crs);
  const claim = by_text.kind === 'none' && srid !== null && srid > 0 ? readClaim(String(srid)) : by_text;
  const text = projText(claim);
  return {
    record: identifyClaim(claim)?.record ?? null,
    source: sourceOf(claim),
    proj_text: claim.kind === 'text' && text !== null && /^\s*\+proj=/.test(text) ? text : null,
  };
}

function sourceOf(claim: CrsClaim): SourceCrs | null {
  if (claim.kind === 'srid') return claim.code <= MAX_SRID ? { source_srid: claim.code, source_text: null } : null;
  if (claim.kind === 'authority' && claim.srid !== null) return { source_srid: claim.srid, source_text: null };
  const source_text = projText(claim);
  return source_text === null ? null : { source_srid: null, source_text };
}

/** What the registry says of the claim, for people. */
export function claimFacts(record: CrsRecord): Claim {
  const { id, name, kind, deprecated, replacements, axis_order, unit, method, area_name } = record;
  return { id, name, kind, deprecated, replacements, axis_order, unit, method, area_name };
}
