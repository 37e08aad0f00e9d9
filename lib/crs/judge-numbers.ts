import type { CrsVerdict } from '@/lib/dead-letter/vocabulary';
import { candidatesOf, crsText } from './candidate-list';
import { type ClaimFit, fitOfClaim } from './claim-fit';
import { type ClaimedCrs, isClaim } from './claimed-crs';
import type { CrsEvidence, CrsJudgement } from './crs-evidence';
import { clearLead, equallyGood, investigate, type PlaceCluster } from './detective';
import { FLIPPED_TILE, liesInFlippedTile } from './flipped-tile';
import { boxArea, degreesFrom } from './geo-box';
import { CLOSE_RELATIONS } from './hypothesis';
import { type NumberShape, shapeOf } from './number-shape';
import { type PriorRegion, priorRegion } from './prior-region';
import { type CrsRecord, crsOf } from './registry/registry';
import type { CrsQuestion } from './related-claims';
import { outsideTarget } from './target-area';
import { noClaimReason, reasonOfVerdict, soundReason, verdictOfLead } from './verdict-words';
import { standForSample, type VertexSample } from './vertex-sample';

/** Verdicts that hold, with their reasons; the first by precedence is the entry's. */
export type Held = Map<CrsVerdict, string>;
export type Found = Pick<CrsJudgement, 'candidates' | 'suggestion'>;
export const NOTHING_FOUND: Found = { candidates: [], suggestion: null };

/**
 * How many widths of the region away a claim within its area of use must lie before another CRS is believed: buffers
 * and neighbouring tiles lie nearer. A reading that comes from the claim by a known mistake needs less than one that
 * only fits.
 */
const WIDTHS_FOR_RELATED = 0.3;
/** The next zone lies many small tiles away, and beside a tile that is as wide as a zone. */
const WIDTHS_FOR_SHIFT = 1.2;
const ZONE = 2;
const WIDTHS_FOR_ANY = 3;

/** Degrees: a region of this width tells more of the place than any area of use. */
const SMALL = 12;

type WithSample = Omit<CrsEvidence, 'sample'> & { sample: VertexSample };

/** Judges the numbers against the claim; adds what holds, and answers what was found instead. */
export function judgeNumbers(held: Held, claimed: ClaimedCrs, evidence: WithSample): Found {
  const { sample, target_crs } = evidence;
  const { record } = claimed;
  const shape = shapeOf(sample);
  const region =
    priorRegion(evidence.tile, 'tile') ??
    priorRegion(evidence.siblings?.bbox ?? null, 'siblings') ??
    priorRegion(evidence.params_bbox, 'params');
  const vertices = standForSample(sample);
  const target = targetOf(target_crs);
  const question: CrsQuestion = {
    claim: record,
    claim_code: claimed.code,
    srid_record: held.has('srid_differs_from_claim') || held.has('unknown_crs') ? claimed.srid_record : null,
    target,
    shape,
    vertices,
    region,
    siblings: evidence.siblings,
  };
  if (!isClaim(claimed) || held.has('unknown_crs')) return judgeUnclaimed(held, claimed, question, evidence);
  const fit = fitOfClaim(claimed, evidence, vertices, region);
  if (sample.bbox.every((number) => number === 0)) return judgeZeros(held, claimed, fit);
  const is_flipped = region?.by === 'tile' && isWithin(fit) && liesInFlippedTile(fit, evidence.tile);
  // A sign that is there was not lost: then it is the tile that is turned.
  if (is_flipped && sample.medoid[1] < 0 && held.size === 0) {
    held.set('agrees', `Lies in its area of use, and in its tile if ${FLIPPED_TILE}.`);
    return NOTHING_FOUND;
  }
  const target_reason = fit.place && target && outsideTarget(target, fit.place);
  const seems_sound = isWithin(fit) && fit.away === 0 && !isSuspicious(record, shape, fit, region, sample);
  if (seems_sound && !held.has('srid_differs_from_claim') && !target_reason) return sound(held, record, fit, region);

  const clusters = investigate(question, fit.place);
  const verdict = seems_sound
    ? foundByTarget(clusters, question, target_reason)
    : mismatch(clusters, question, fit, sample);
  if (verdict === null) {
    if (target_reason) held.set('outside_target_area', target_reason);
    sound(held, record, fit, region);
    return held.has('srid_differs_from_claim') ? found(clusters, question, evidence) : NOTHING_FOUND;
  }
  if (verdict === 'not_geographic') {
    held.set(verdict, 'All numbers are whole, small and not below zero: rows and columns of an image, no places.');
    return NOTHING_FOUND;
  }
  const result = found(clusters, question, evidence);
  const lead = clearLead(clusters);
  if (verdict !== 'deprecated' || !held.has(verdict))
    held.set(verdict, reasonOfVerdict(verdict, claimed, fit, region, lead, equallyGood(clusters), question));
  else if (lead) held.set(verdict, reasonOfVerdict(verdict, claimed, fit, region, lead, 1, question));
  const read = lead?.best.read;
  if (is_flipped && read?.relation === 'sign' && read.x_sign > 0) {
    held.set(verdict, `The sign of y is lost, or ${FLIPPED_TILE}: either would put the numbers in the tile.`);
    return { ...result, suggestion: null };
  }
  return result;
}

function targetOf(target_crs: string | null): CrsRecord | null {
  return target_crs === null ? null : (crsOf(target_crs.trim().toUpperCase()) ?? null);
}

function found(clusters: readonly PlaceCluster[], question: CrsQuestion, { tile }: WithSample): Found {
  const lead = clearLead(clusters);
  return { candidates: candidatesOf(clusters, question, tile), suggestion: lead && crsText(lead.best) };
}

const isWithin = (fit: ClaimFit) => fit.place !== null && fit.out <= fit.margin;

/** A claim in degrees cannot have such numbers, and one in metres seldom has them outside its area of use. */
const looksLikePixels = (record: CrsRecord | null, shape: NumberShape, fit: ClaimFit) =>
  shape.pixels && (isDegrees(record) || fit.out > 0);

/** Numbers that a claim places within its area of use, and that still look like something else. */
function isSuspicious(
  record: CrsRecord | null,
  shape: NumberShape,
  fit: ClaimFit,
  region: PriorRegion | null,
  { medoid: [x, y] }: VertexSample,
): boolean {
  if (looksLikePixels(record, shape, fit)) return true;
  if (!record || !isInLengths(record)) return false;
  if (!(shape.degrees || shape.swapped_degrees)) return false;
  // A grid may have its origin in its area of use, and data beside it: then nothing else speaks for degrees.
  const box = region?.box ?? record.area;
  if (!box || fit.out > 0) return true;
  if (region && fit.away === 0) return false;
  const readings = [
    [x, y],
    [y, x],
    [-x, y],
    [x, -y],
  ] as const;
  return readings.some(([lon, lat]) => Math.abs(lat) <= 90 && degreesFrom(box, [lon, lat]) < 1);
}

/** What the claim is instead, or null where it may well be right. */
function mismatch(
  clusters: readonly PlaceCluster[],
  question: CrsQuestion,
  fit: ClaimFit,
  { bbox }: VertexSample,
): CrsVerdict | null {
  const { claim, shape, region } = question;
  const first = clusters[0];
  const lead = clearLead(clusters);
  const is_degrees = claim !== null && isInLengths(claim) && (shape.degrees || shape.swapped_degrees);
  if (isWithin(fit) && !is_degrees && !looksLikePixels(claim, shape, fit)) {
    // Only the tile speaks against the claim.
    if (!region || !first || (first.best.fit ?? 0) < 0.8) return null;
    const { relation } = first.best.read;
    const is_shift = (relation === 'zone' || relation === 'sign') && region.width < ZONE;
    const needed = !CLOSE_RELATIONS.includes(relation)
      ? WIDTHS_FOR_ANY
      : is_shift
        ? WIDTHS_FOR_SHIFT
        : WIDTHS_FOR_RELATED;
    return fit.away < needed * region.width ? null : verdictOfLead(first, question, 'wrong_crs');
  }
  if (shape.pixels && (fit.away > 0 || !region) && !(lead?.best.fit ?? 0)) return 'not_geographic';
  // Far outside its area of use, but where it was expected: the area is at fault, not the claim.
  const is_expected_here = region !== null && fit.away === 0 && (region.width < SMALL || fit.out <= 2 * fit.margin);
  if (fit.place && is_expected_here && !is_degrees) return null;
  const fallback: CrsVerdict =
    is_degrees && (!region || fit.away > 0)
      ? 'degrees_as_metres'
      : isDegrees(claim) && Math.max(...bbox.map(Math.abs)) > 400
        ? 'metres_as_degrees'
        : 'outside_area_of_use';
  if (!first) return fallback;
  const best = lead ?? (equallyGood(clusters) === 1 ? first : null);
  return best ? verdictOfLead(best, question, lead ? 'wrong_crs' : fallback) : fallback;
}

/** EPSG:32600 and 32700 call themselves projected and are in degrees. */
const isInLengths = ({ kind, unit }: CrsRecord) => kind === 'projected' && !/degree/i.test(unit ?? '');

const isDegrees = (record: CrsRecord | null) => record?.kind === 'geographic_2d' || record?.kind === 'geographic_3d';

/** A sound claim whose target cannot hold the place, where the same numbers swapped or with another sign can be held. */
function foundByTarget(
  clusters: readonly PlaceCluster[],
  question: CrsQuestion,
  target_reason: string | null,
): CrsVerdict | null {
  const { target, region } = question;
  const best = clusters[0]?.best;
  if (!target_reason || region || !target?.area || boxArea(target.area) > 10_000 || !best) return null;
  const is_turned = ['swapped', 'sign', 'swapped_sign'].includes(best.read.relation ?? '');
  if (!is_turned || degreesFrom(target.area, best.place) > 0 || !clearLead(clusters)) return null;
  return verdictOfLead(clusters[0] as PlaceCluster, question, 'wrong_crs');
}

function sound(held: Held, record: CrsRecord | null, fit: ClaimFit, region: PriorRegion | null): Found {
  if (held.size === 0) held.set('agrees', soundReason(record, fit, region));
  return NOTHING_FOUND;
}

/** A place at 0, 0 is what a missing value turns into, in any CRS: it tells nothing of the claim but where that puts it. */
function judgeZeros(held: Held, { record }: ClaimedCrs, fit: ClaimFit): Found {
  const reason = 'All numbers are 0, as where none were set';
  if (isWithin(fit)) {
    if (held.size === 0) held.set('agrees', `${reason}; nothing speaks against the claim.`);
  } else held.set('outside_area_of_use', `${reason}: outside the area of use of ${record?.id ?? 'the claim'}.`);
  return NOTHING_FOUND;
}

/** Without a usable claim, only the numbers and where they are expected tell. */
function judgeUnclaimed(held: Held, claimed: ClaimedCrs, question: CrsQuestion, evidence: WithSample): Found {
  const clusters = investigate(question);
  const lead = clearLead(clusters);
  const result = found(clusters, question, evidence);
  if (question.shape.pixels && !lead?.best.fit) {
    held.set(
      'not_geographic',
      'All numbers are whole, small and not below zero: rows and columns of an image, no places.',
    );
    if (!isClaim(claimed)) return NOTHING_FOUND;
  }
  if (!isClaim(claimed)) held.set('no_claim', noClaimReason(lead, equallyGood(clusters), question));
  return result;
}
