import { findByEnvelope, logArea } from './candidate-index';
import { boxArea, degreesFrom } from './geo-box';
import { type Hypothesis, hypothesis, placeUnder } from './hypothesis';
import { fitOfRegion } from './prior-region';
import type { Bbox, CrsRecord } from './registry/registry';
import { type CrsQuestion, relatedTo } from './related-claims';
import { type LonLat, metresBetween } from './sphere';

/** A hypothesis with where it puts the geometry, and how well that fits. */
export interface Lead {
  read: Hypothesis;
  /** Of the medoid. */
  place: LonLat;
  /** Of the vertices that stand for the sample, without those that lie nowhere. */
  places: LonLat[];
  /** Log10 of odds, up to a constant. */
  score: number;
  /** 0–1: see `fitOfRegion`; null without a region. */
  fit: number | null;
}

/** The leads that put the geometry within 500 m of one place, best first. */
export interface PlaceCluster {
  best: Lead;
  others: Lead[];
}

/** Envelopes held by very many CRSs (small round numbers) are searched no further: the smallest areas of use come first. */
const MAX_SEARCHED = 200;
const SAME_PLACE_M = 500;
const LEAD = 1.5;

/**
 * How much a place inside the region outweighs one far from it (log10 of odds): a tile that is not the geometry's own is
 * rarer than one of a hundred million chances of a CRS taken at random to put it there.
 */
const REGION_WEIGHT = 8;
const AREA_WEIGHT = 2;
/** CRSs of a continent or of the world are used more often than their number says. */
const MAX_LOG_AREA = 2.5;

/** Every place that the numbers can mean, the likeliest first; not the one where the claim puts them already. */
export function investigate(question: CrsQuestion, claimed_place: LonLat | null = null): PlaceCluster[] {
  const leads = new Map<string, Lead>();
  for (const read of [...relatedTo(question), ...searched(question)]) {
    const key = `${read.record.id} ${read.swapped} ${read.x_sign} ${read.y_sign} ${read.scale}`;
    const known = leads.get(key);
    if (known && known.read.weight >= read.weight) continue;
    const lead = follow(read, question, read.relation === 'claim' ? claimed_place : null);
    if (!lead || (claimed_place && read.relation !== 'claim' && isSamePlace(lead.place, claimed_place))) continue;
    leads.set(key, lead);
  }
  return clustered([...leads.values()].sort((a, b) => b.score - a.score));
}

/** How many places fit as well as the first one, itself among them. */
export function equallyGood(clusters: readonly PlaceCluster[]): number {
  const best = clusters[0]?.best.score ?? 0;
  return clusters.filter((cluster) => best - cluster.best.score < LEAD).length;
}

function searched({ claim, vertices, region }: CrsQuestion): Hypothesis[] {
  const [x, y] = vertices[0] ?? [Number.NaN, Number.NaN];
  const found = findByEnvelope(x, y, region, Math.max(1, region?.width ?? 1)).slice(0, MAX_SEARCHED);
  return found
    .filter(({ record, swapped }) => record.id !== claim?.id || swapped)
    .map(({ record, swapped }) => {
      const is_same_base = claim !== null && (record.base === claim.id || record.base === claim.base);
      return hypothesis(record, null, is_same_base ? 0.5 : 0, { swapped });
    });
}

/** Places the geometry under a hypothesis and scores it; null where it lies nowhere or nothing speaks for it. */
export function follow(read: Hypothesis, question: CrsQuestion, known: LonLat | null = null): Lead | null {
  const { region, target, claim } = question;
  const [medoid, ...extremes] = question.vertices;
  const place = known ?? (medoid ? placeUnder(read, medoid) : null);
  if (!place) return null;
  const area = read.relation === 'degrees' ? (claim?.area ?? read.record.area) : read.record.area;
  if (read.relation === null && area && degreesFrom(area, place) > 5) return null;
  const places = [place];
  // Far from where it is expected, the extent changes nothing.
  if (region ? degreesFrom(region.box, place) < 2 * region.width : read.relation !== null)
    for (const vertex of extremes) {
      const other = placeUnder(read, vertex);
      if (other) places.push(other);
    }
  const fit = region ? fitOfRegion(region, places) : null;
  if (fit !== null && fit < 0.2 && read.relation === null) return null;
  const score =
    REGION_WEIGHT * (fit ?? 0) +
    AREA_WEIGHT * shareInArea(area, places) -
    Math.min(MAX_LOG_AREA, logArea(read.record)) +
    read.weight +
    hintOfTarget(target, place) +
    (region ? 0 : hintOfClaim(claim, place)) -
    penaltyOf(read, question);
  return { read, place, places, score, fit };
}

/** 1 inside the area of use, less the further out: areas are rough. */
function shareInArea(area: Bbox | null, places: readonly LonLat[]): number {
  if (!area) return 0.5;
  let sum = 0;
  for (const place of places) sum += 2 ** -degreesFrom(area, place);
  return sum / places.length;
}

/** Whoever projects into a CRS expects the data in its area of use; one of the whole world says nothing. */
function hintOfTarget(target: CrsRecord | null, place: LonLat): number {
  if (!target?.area || boxArea(target.area) > 10_000) return 0;
  return degreesFrom(target.area, place) < 1 ? 1.5 : 0;
}

/** Where nothing else tells: who claims a local CRS has data from there, whatever the numbers are in. */
function hintOfClaim(claim: CrsRecord | null, place: LonLat): number {
  if (!claim?.area || boxArea(claim.area) > 2_000) return 0;
  return degreesFrom(claim.area, place) < 1 ? 2 : 0;
}

/** Numbers that can be degrees seldom are anything else: in metres, they all lie within 180 m of an origin. */
const ORIGIN_PENALTY = 5;

function penaltyOf({ record, swapped, relation }: Hypothesis, { shape }: CrsQuestion): number {
  const unusual_swap = record.axis_order === 'east_north' || record.axis_order === null ? 1 : 0.5;
  return (
    (swapped && relation === null ? unusual_swap : 0) +
    (relation === null && !record.id.startsWith('EPSG:') ? 0.5 : 0) +
    // Degrees from another meridian than Greenwich, or grads: of historic maps.
    (relation === null && record.kind !== 'projected' ? 1.5 : 0) +
    (record.deprecated ? 2 : 0) +
    (record.kind === 'projected' && (shape.degrees || shape.swapped_degrees) ? ORIGIN_PENALTY : 0)
  );
}

const isSamePlace = (a: LonLat, b: LonLat): boolean =>
  Math.abs(a[1] - b[1]) < 0.01 && metresBetween(a, b) < SAME_PLACE_M;

function clustered(leads: readonly Lead[]): PlaceCluster[] {
  const clusters: PlaceCluster[] = [];
  for (const lead of leads) {
    const near = clusters.find(({ best }) => isSamePlace(best.place, lead.place));
    if (near) near.others.push(lead);
    else clusters.push({ best: lead, others: [] });
  }
  return clusters;
}

/**
 * The first cluster, where it is likelier than all others together by LEAD and more than its envelope speaks for it; else
 * null.
 */
export function clearLead(clusters: readonly PlaceCluster[]): PlaceCluster | null {
  const [first, ...others] = clusters;
  if (!first) return null;
  const { score, fit, read } = first.best;
  let against = 0;
  for (const { best } of others) against += 10 ** (best.score - score);
  if (against > 10 ** -LEAD) return null;
  const is_supported = fit === null ? read.weight > 0.5 : fit >= 0.5;
  return is_supported ? first : null;
}
