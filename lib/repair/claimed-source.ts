import { readClaim } from '@/lib/crs/claim';

/** What the database reprojects from: a number of spatial_ref_sys, else a text for PROJ; `error` where the claim names none. */
export interface ClaimedSource {
  source_srid: number | null;
  source_text: string | null;
  error: string | null;
}

/** PostGIS clamps greater numbers to another one, so they name no CRS. */
const MAX_SRID = 998_999;

/** The claim decides; the number on the geometry only where there is no claim. */
export function claimedSource(src_crs: string | null, srid: number | null): ClaimedSource {
  const nowhere = (error: string): ClaimedSource => ({ source_srid: null, source_text: null, error });
  const bySrid = (number: number): ClaimedSource =>
    number > 0 && number <= MAX_SRID
      ? { source_srid: number, source_text: null, error: null }
      : nowhere(`${number} names no CRS`);
  const claim = readClaim(src_crs);
  switch (claim.kind) {
    case 'none':
      return srid === null ? nowhere('no CRS is claimed') : bySrid(srid);
    case 'srid':
      return bySrid(claim.code);
    case 'authority':
      if (claim.srid !== null) return bySrid(claim.srid);
      return { source_srid: null, source_text: `${claim.authority}:${claim.code}`, error: null };
    case 'text':
      return { source_srid: null, source_text: claim.text, error: null };
    case 'refused':
      return nowhere(claim.reason);
  }
}
