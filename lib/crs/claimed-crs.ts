import { type CrsClaim, readClaim } from './claim';
import { toLonLat } from './place';
import { identifyClaim } from './registry/identify';
import type { CrsRecord } from './registry/registry';
import { metresBetween } from './sphere';

/** What the source says of its CRS, by text and by the number on the geometry. */
export interface ClaimedCrs {
  claim: CrsClaim;
  /** The registry's record of the claim; null where there is none, or where the claim is a definition of its own. */
  record: CrsRecord | null;
  /** How a reason names the claim. */
  name: string;
  code: { authority: string; code: string } | null;
  /** The record of the geometry's SRID where a text claims something else; null where that is no number of a CRS. */
  srid_record: CrsRecord | null;
}

const NAMES_NONE = /^(the text ".*" names no CRS|0 stands for an unknown CRS)$/s;

/** The text decides; the number on the geometry only where there is no text. */
export function claimedCrs(src_crs: string | null, srid: number | null): ClaimedCrs {
  const by_text = readClaim(src_crs);
  const by_number: CrsClaim = srid !== null && srid > 0 ? readClaim(String(srid)) : { kind: 'none' };
  const number_record = recordOf(by_number);
  if (by_text.kind === 'none') return describe(by_number, number_record, null);
  return describe(by_text, recordOf(by_text), number_record);
}

/** A definition is a projection and no more: CRSs that share it differ in their areas of use, and some are deprecated. */
function recordOf(claim: CrsClaim): CrsRecord | null {
  const identified = identifyClaim(claim);
  if (identified?.by !== 'definition') return identified?.record ?? null;
  return { ...identified.record, area: null, area_name: null, deprecated: false };
}

/** Whether there is a claim at all: "none", "unknown" and 0 are none. */
export function isClaim({ claim }: ClaimedCrs): boolean {
  return claim.kind !== 'none' && !(claim.kind === 'refused' && NAMES_NONE.test(claim.reason));
}

function describe(claim: CrsClaim, record: CrsRecord | null, srid_record: CrsRecord | null): ClaimedCrs {
  const code =
    claim.kind === 'srid'
      ? { authority: claim.authority as string, code: String(claim.code) }
      : claim.kind === 'authority'
        ? { authority: claim.authority, code: claim.code }
        : null;
  const name = code ? `${code.authority}:${code.code}` : (record?.id ?? 'the claimed CRS');
  return { claim, record, name, code, srid_record };
}

/** Metres between the two places of one vertex beyond which two CRSs are not the same for a verdict: shifts of datum. */
const SAME_M = 1_000;

/** Whether two CRSs put a vertex at different places; without a vertex, whether their names differ. */
export function isElsewhere(a: CrsRecord, b: CrsRecord, vertex: readonly [number, number] | null): boolean {
  if (a.id === b.id || squeezed(a.name) === squeezed(b.name)) return false;
  if (a.replacements.includes(b.id) || b.replacements.includes(a.id)) {
    if (!vertex) return false;
  }
  if (isGeographic(a) && isGeographic(b) && a.unit_factor === b.unit_factor && !/\+pm=/.test(`${a.proj}${b.proj}`))
    return false;
  if (a.proj !== null && a.proj === b.proj) return false;
  if (!vertex) return a.proj !== null && b.proj !== null && a.proj !== b.proj;
  const [place_a, place_b] = [toLonLat(a, ...vertex), toLonLat(b, ...vertex)];
  if (place_a && place_b) return metresBetween(place_a, place_b) > SAME_M;
  return place_a !== null || place_b !== null;
}

const isGeographic = (record: CrsRecord) => record.kind === 'geographic_2d' || record.kind === 'geographic_3d';
const squeezed = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
