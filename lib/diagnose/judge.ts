import type { Referenced } from '@/lib/blobs/read-referenced';
import type { Fault } from '@/lib/contract/entry';
import { type CrsClaim, readClaim } from '@/lib/crs/claim';
import { claimedCrs } from '@/lib/crs/claimed-crs';
import { sampleVertices, type VertexSample } from '@/lib/crs/vertex-sample';
import type { UnmappableReason } from '@/lib/dead-letter/vocabulary';
import { faultSteps } from '@/lib/faults/find-faults';
import { type Steps, toEnd } from '@/lib/faults/steps';
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
  /** x and y are degrees under the claim: edges are straight in longitude and latitude. */
  geographic: boolean;
  /** The registry's id of the claim, where it has one. */
  claimed_id: string | null;
  faults: Fault[];
  sample: VertexSample | null;
  /** The number on the geometry or, where the database could not read it, in its bytes. */
  srid: number | null;
  non_finite: boolean;
  is_empty: boolean;
}

/** PostGIS clamps greater numbers to another one, so they name no CRS. */
const MAX_SRID = 998_999;
/** Definitions that are in no registry but say that they count degrees. */
const GEOGRAPHIC_TEXT =
  /^\s*(?:GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)\b|\+proj=(?:longlat|latlong|latlon|lonlat)\b/i;

/**
 * Reads the bytes and the claim. The claim decides the CRS; the number on the geometry only where there is no claim.
 */
export function judge(evidence: Evidence): Judgement {
  return toEnd(judgeSteps(evidence));
}

/** The same in steps, since it runs in the process that answers requests. */
export function* judgeSteps(evidence: Evidence): Steps<Judgement> {
  const bytes = bytesOf(evidence);
  const reading = 'wkb' in bytes ? readWkb(bytes.wkb) : null;
  const srid = evidence.srid ?? reading?.srid ?? null;
  const claim = readClaim(evidence.src_crs);
  const source = judgeClaim(claim, srid);
  const { record } = claimedCrs(evidence.src_crs, srid);
  const geographic = record
    ? record.kind.startsWith('geographic')
    : claim.kind === 'text' && GEOGRAPHIC_TEXT.test(claim.text);
  const shared = { ...source, geographic, claimed_id: record?.id ?? null, srid };
  if (!reading) {
    const { reason, error } = bytes as { reason: UnmappableReason; error: string | null };
    const nothing = { faults: [], sample: null, non_finite: false, is_empty: false };
    return { ...shared, ...nothing, unmappable_reason: reason, reproject_error: error };
  }
  yield;
  const faults: Fault[] = [...(yield* faultSteps(reading, { geographic })).faults];
  const { error } = reading;
  if (error) faults.unshift({ code: error.code, path: null, at: null, message: error.message, severity: 'fails' });
  const non_finite = reading.first_non_finite_vertex !== null;
  const found = { faults, sample: sampleVertices(reading), non_finite, is_empty: reading.is_empty };
  const { has_geom = true, geom_error = null } = 'has_geom' in bytes ? bytes : {};
  if (non_finite) return { ...shared, ...found, unmappable_reason: 'non_finite', reproject_error: null };
  if (error?.code === 'capped')
    return { ...shared, ...found, unmappable_reason: 'too_large', reproject_error: error.message };
  if (error || !has_geom)
    return { ...shared, ...found, unmappable_reason: 'unreadable', reproject_error: error?.message ?? geom_error };
  if (reading.is_empty) return { ...shared, ...found, unmappable_reason: 'empty', reproject_error: null };
  return { ...shared, ...found, unmappable_reason: source.reason, reproject_error: source.error };
}

/** The bytes to read, or why there are none. */
function bytesOf({
  referenced,
  ...evidence
}: Evidence):
  | { wkb: Uint8Array; has_geom?: boolean; geom_error?: string | null }
  | { reason: UnmappableReason; error: string | null } {
  if (evidence.geom_wkb)
    return { wkb: evidence.geom_wkb, has_geom: evidence.has_geom, geom_error: evidence.geom_error };
  if (evidence.geom_given !== null) return { reason: 'unreadable', error: evidence.geom_error };
  if (referenced === null) return { reason: 'no_geometry', error: null };
  if ('wkb' in referenced) return { wkb: referenced.wkb };
  return { reason: referenced.problem === 'too_large' ? 'too_large' : 'unreadable', error: referenced.message };
}

function judgeClaim(
  claim: CrsClaim,
  srid: number | null,
): Pick<Judgement, 'source_srid' | 'source_text'> & { reason: UnmappableReason | null; error: string | null } {
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
