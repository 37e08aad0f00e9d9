import { CRS_VERDICTS } from '@/lib/dead-letter/vocabulary';
import { claimedCrs, isClaim, isElsewhere } from './claimed-crs';
import type { CrsEvidence, CrsJudgement } from './crs-evidence';
import { type Held, judgeNumbers, NOTHING_FOUND } from './judge-numbers';

export type { Candidate, CrsEvidence, CrsJudgement, SiblingPrior } from './crs-evidence';

/**
 * Judges the claimed CRS by the numbers, the claim's area of use, the tile and what siblings tell, and looks for a
 * better one where the claim does not hold. Pure, and never throws; what it suggests is never applied by itself.
 */
export function judgeCrs(evidence: CrsEvidence): CrsJudgement {
  const held: Held = new Map();
  const claimed = claimedCrs(evidence.src_crs, evidence.srid);
  const { claim, record, srid_record, name } = claimed;
  const { sample } = evidence;
  if (evidence.non_finite) held.set('non_finite', 'Some coordinates are not finite numbers; no CRS can place them.');
  if (claim.kind === 'refused' && isClaim(claimed))
    held.set('unknown_crs', `The claim names no usable CRS: ${claim.reason}.`);
  else if (
    claim.kind !== 'none' &&
    isClaim(claimed) &&
    !record &&
    !evidence.placed?.points.some((point) => point !== null)
  )
    held.set('unknown_crs', `Neither the registry nor PROJ knows ${name}.`);
  if (record && srid_record && isElsewhere(record, srid_record, sample?.medoid ?? null))
    held.set('srid_differs_from_claim', `The text claims ${record.id}, the geometry's SRID says ${srid_record.id}.`);
  if (record?.deprecated)
    held.set(
      'deprecated',
      record.replacements.length > 0
        ? `${record.id} is deprecated; ${record.replacements.slice(0, 3).join(', ')} replaces it.`
        : `${record.id} is deprecated; the registry names nothing in its place.`,
    );
  const found = sample ? judgeNumbers(held, claimed, { ...evidence, sample }) : NOTHING_FOUND;
  const [crs_verdict = null, ...also] = CRS_VERDICTS.filter((verdict) => held.has(verdict));
  return { crs_verdict, also, crs_reason: crs_verdict === null ? null : (held.get(crs_verdict) ?? null), ...found };
}
