import type { Referenced } from '@/lib/blobs/read-referenced';
import type { Fault } from '@/lib/contract/entry';
import { readClaim } from '@/lib/crs/claim';
import type { UnmappableReason } from '@/lib/dead-letter/vocabulary';
import { readWkb } from '@/lib/wkb/read-wkb';

/** What the worker knows of a payload before it asks the database. */
export interface Evidence {
  geom_wkb: Uint8Array | null;
  /** False where PostGIS refused the bytes. */
  has_geom: boolean;
  geom_error: string | null;
  geom_given: string | null;
  srid: number | null;
  src_crs: string | null;
  payload_ref: string | null;
  /** What payload_ref led to, where the geometry is kept by it. */
  referenced: Referenced | null;
}

export interface Judgement {
  /** Why the entry has no footprint, as far as the bytes and the claim tell; null: the database has to try. */
  unmappable_reason: UnmappableReason | null;
  reproject_error: string | null;
  /** The CRS to reproject from: a number of spatial_ref_sys, else a text for PROJ. */
  source_srid: number | null;
  source_text: string | null;
  faults: Fault[];
}

/** PostGIS clamps greater numbers to another one, so they name no CRS. */
const MAX_SRID = 998_999;

/**
 * Reads the bytes and the claim. The claim decides the CRS; the number on the geometry only where there is no claim.
 */
export function judge(evidence: Evidence): Judgement {
  const { faults, reason, error, srid } = judgeGeometry(evidence);
  const source = judgeClaim(evidence.src_crs, evidence.srid ?? srid);
  return {
    faults,
    source_srid: source.source_srid,
    source_text: source.source_text,
    unmappable_reason: reason ?? source.reason,
    reproject_error: reason ? error : source.error,
  };
}

/** `srid` is the number in the bytes themselves, which the database had no chance to read where they lie elsewhere. */
interface GeometryJudgement {
  faults: Fault[];
  reason: UnmappableReason | null;
  error: string | null;
  srid: number | null;
}

function judgeGeometry({ referenced, ...evidence }: Evidence): GeometryJudgement {
  const nothing = { faults: [], srid: null };
  if (evidence.geom_wkb) return judgeBytes(evidence.geom_wkb, evidence);
  if (evidence.geom_given !== null) return { ...nothing, reason: 'unreadable', error: evidence.geom_error };
  if (referenced === null) return { ...nothing, reason: 'no_geometry', error: null };
  if ('wkb' in referenced) return judgeBytes(referenced.wkb, { has_geom: true, geom_error: null });
  const reason = referenced.problem === 'too_large' ? 'too_large' : 'unreadable';
  return { ...nothing, reason, error: referenced.message };
}

function judgeBytes(
  bytes: Uint8Array,
  { has_geom, geom_error }: Pick<Evidence, 'has_geom' | 'geom_error'>,
): GeometryJudgement {
  const reading = readWkb(bytes);
  const { srid } = reading;
  const faults: Fault[] = [...reading.findings];
  if (reading.error)
    faults.unshift({
      code: reading.error.code,
      path: null,
      at: null,
      message: reading.error.message,
      severity: 'fails',
    });
  if (reading.first_non_finite_vertex !== null) return { faults, srid, reason: 'non_finite', error: null };
  if (reading.error || !has_geom)
    return { faults, srid, reason: 'unreadable', error: reading.error?.message ?? geom_error };
  return { faults, srid, reason: reading.is_empty ? 'empty' : null, error: null };
}

function judgeClaim(
  src_crs: string | null,
  srid: number | null,
): Pick<Judgement, 'source_srid' | 'source_text'> & { reason: UnmappableReason | null; error: string | null } {
  const claim = readClaim(src_crs);
  const nowhere = { source_srid: null, source_text: null };
  switch (claim.kind) {
    case 'none':
      if (srid !== null && srid > 0 && srid <= MAX_SRID)
        return { source_srid: srid, source_text: null, reason: null, error: null };
      return { ...nowhere, reason: 'no_crs', error: null };
    case 'srid':
      if (claim.code > MAX_SRID)
        return { ...nowhere, reason: 'unknown_crs', error: `${claim.authority}:${claim.code} names no CRS` };
      return { source_srid: claim.code, source_text: null, reason: null, error: null };
    case 'authority':
      if (claim.srid !== null) return { source_srid: claim.srid, source_text: null, reason: null, error: null };
      return { source_srid: null, source_text: `${claim.authority}:${claim.code}`, reason: null, error: null };
    case 'text':
      return { source_srid: null, source_text: claim.text, reason: null, error: null };
    case 'refused':
      return { ...nowhere, reason: 'unknown_crs', error: claim.reason };
  }
}
