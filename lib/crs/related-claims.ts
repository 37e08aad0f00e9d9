import { typosOf } from './code-typos';
import type { SiblingPrior } from './crs-evidence';
import { boxesTouch } from './geo-box';
import { type Hypothesis, hypothesis } from './hypothesis';
import type { NumberShape } from './number-shape';
import { originTwinsOf } from './origin-twins';
import type { PriorRegion } from './prior-region';
import { type CrsRecord, crsOf } from './registry/registry';
import { projInUnit, UNITS, unitTwinsOf } from './unit-twins';
import { neighboursOf, zonesApart } from './zone-family';

/** What the detective is asked. */
export interface CrsQuestion {
  claim: CrsRecord | null;
  /** The claimed code, also where the registry knows none such. */
  claim_code: { authority: string; code: string } | null;
  /** The CRS of the geometry's SRID where that is another place. */
  srid_record: CrsRecord | null;
  target: CrsRecord | null;
  shape: NumberShape;
  /** See `standForSample`. */
  vertices: readonly [number, number][];
  region: PriorRegion | null;
  siblings: SiblingPrior | null;
}

/** Zones beyond are no neighbours: nobody mixes them up. */
const MAX_ZONES = 3;

/** Half of the equator in Web Mercator's metres, with room for a buffer. */
const MERCATOR_END = 20_100_000;

/** Every reading that comes from the claim by a known kind of mistake, with its weight (log10 of odds). */
export function relatedTo(question: CrsQuestion): Hypothesis[] {
  const { claim, claim_code, srid_record, target, siblings } = question;
  const found: Hypothesis[] = [];
  if (claim?.proj) {
    found.push(...misreadings(claim, question));
    if (claim.kind === 'projected')
      found.push(...otherUnits(claim), ...otherZones(claim, question.region), ...otherOrigins(claim));
  }
  for (const id of claim?.replacements ?? []) add(found, id, 'replacement', claim?.deprecated ? 3.5 : 1.5);
  if (srid_record) {
    found.push(hypothesis(srid_record, 'srid', 3));
    if (claim) found.push(hypothesis(claim, 'claim', 3.5));
  }
  found.push(...worldWide(question));
  if (target && target.id !== claim?.id) found.push(hypothesis(target, 'target', 2));
  for (const { crs, swapped, count } of siblings?.accepted ?? []) {
    const record = crsOf(crs);
    if (record && (record.id !== claim?.id || swapped))
      found.push(hypothesis(record, 'sibling', 2.5 + Math.log10(1 + Math.max(0, count)), { swapped }));
  }
  if (claim_code)
    for (const { record, is_likely } of typosOf(claim_code.authority, claim_code.code))
      found.push(hypothesis(record, 'typo', is_likely ? 1.5 : 0.6));
  return found.filter(({ record }) => record.kind === 'projected' || record.kind === 'geographic_2d');
}

/** The claim with its axes swapped, its signs turned, or both. A lost sign leaves a positive number behind. */
function misreadings(claim: CrsRecord, { vertices }: CrsQuestion): Hypothesis[] {
  const [x, y] = vertices[0] ?? [0, 0];
  const lost = (number: number, weight: number) => (number > 0 ? weight : weight - 1.2);
  return [
    hypothesis(claim, 'swapped', 3.5, { swapped: true }),
    hypothesis(claim, 'sign', lost(x, 2.5), { x_sign: -1 }),
    hypothesis(claim, 'sign', lost(y, 2.5), { y_sign: -1 }),
    hypothesis(claim, 'sign', Math.min(lost(x, 1.8), lost(y, 1.8)), { x_sign: -1, y_sign: -1 }),
    hypothesis(claim, 'swapped_sign', lost(y, 1.5), { swapped: true, x_sign: -1 }),
    hypothesis(claim, 'swapped_sign', lost(x, 1.5), { swapped: true, y_sign: -1 }),
    hypothesis(claim, 'swapped_sign', Math.min(lost(x, 1), lost(y, 1)), { swapped: true, x_sign: -1, y_sign: -1 }),
  ];
}

function otherUnits(claim: CrsRecord): Hypothesis[] {
  const twins = unitTwinsOf(claim);
  // Of twins on another datum, the one on the claim's own is named.
  const found = twins.map((record) => hypothesis(record, 'unit', record.base === claim.base ? 3.02 : 3));
  const factor = claim.unit_factor;
  if (factor === null || !(factor > 0)) return found;
  for (const unit of UNITS) {
    const is_known = [claim, ...twins].some(({ unit_factor }) => Math.abs((unit_factor ?? 0) / unit.factor - 1) < 1e-5);
    if (is_known || projInUnit(claim, unit) === null) continue;
    const weight = unit.name === 'kilometres' ? 1.5 : 2.4;
    found.push(hypothesis(claim, 'unit', weight, { scale: unit.factor / factor, unit: unit.name }));
  }
  return found;
}

function otherZones(claim: CrsRecord, region: PriorRegion | null): Hypothesis[] {
  const found: Hypothesis[] = [];
  for (const record of neighboursOf(claim)) {
    const apart = zonesApart(claim, record);
    if (apart > MAX_ZONES || !record.proj) continue;
    if (region && record.area && !boxesTouch(region.box, record.area, region.width)) continue;
    // Of zones that are the same but for the order of their axes or their meridian, the one that is like the claim is named.
    const alike = (record.base === claim.base ? 0.02 : 0) + (record.axis_order === claim.axis_order ? 0.01 : 0);
    found.push(hypothesis(record, 'zone', 2.8 - 0.3 * apart + alike));
  }
  return found;
}

/** The same projection with the false coordinates of another edition: mixed up where a country changes over. */
function otherOrigins(claim: CrsRecord): Hypothesis[] {
  return originTwinsOf(claim).map((record) => hypothesis(record, 'origin', 2.7));
}

/** Degrees where a projected CRS or none is claimed, and Web Mercator where something else is. */
function worldWide({ claim, shape, vertices }: CrsQuestion): Hypothesis[] {
  const found: Hypothesis[] = [];
  const degrees = crsOf('EPSG:4326');
  const [x, y] = vertices[0] ?? [0, 0];
  if (degrees && claim?.kind !== 'geographic_2d' && claim?.kind !== 'geographic_3d') {
    const lost = (number: number, weight: number) => (number > 0 ? weight : weight - 1.2);
    if (shape.degrees || shape.swapped_degrees) {
      found.push(
        hypothesis(degrees, 'degrees', 3.5),
        hypothesis(degrees, 'degrees', 2.8, { swapped: true }),
        hypothesis(degrees, 'degrees', lost(x, 2), { x_sign: -1 }),
        hypothesis(degrees, 'degrees', lost(y, 2), { y_sign: -1 }),
        hypothesis(degrees, 'degrees', lost(y, 1.5), { swapped: true, x_sign: -1 }),
        hypothesis(degrees, 'degrees', lost(x, 1.5), { swapped: true, y_sign: -1 }),
      );
    }
  }
  if (claim?.id !== 'EPSG:3857' && Math.max(Math.abs(x), Math.abs(y)) < MERCATOR_END) {
    add(found, 'EPSG:3857', 'web_mercator', 3);
    const mercator = crsOf('EPSG:3857');
    if (mercator) found.push(hypothesis(mercator, 'web_mercator', 1.5, { swapped: true }));
  }
  return found;
}

function add(found: Hypothesis[], id: string, relation: Hypothesis['relation'], weight: number): void {
  const record = crsOf(id);
  if (record) found.push(hypothesis(record, relation, weight));
}
