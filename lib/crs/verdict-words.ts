import type { CrsVerdict } from '@/lib/dead-letter/vocabulary';
import { crsText, distanceWords, REGION_WORDS, reasonOf, signsOf } from './candidate-list';
import type { ClaimFit } from './claim-fit';
import type { ClaimedCrs } from './claimed-crs';
import type { PlaceCluster } from './detective';
import type { PriorRegion } from './prior-region';
import type { CrsRecord } from './registry/registry';
import type { CrsQuestion } from './related-claims';
import { METRES_PER_DEGREE } from './sphere';
import { unitName } from './unit-twins';

/** The verdict that the place of a lead means for the claim. */
export function verdictOfLead(
  { best, others }: PlaceCluster,
  { claim }: CrsQuestion,
  otherwise: CrsVerdict,
): CrsVerdict {
  const relations = [best, ...others.filter(({ read }) => read.weight > 0.5)].map(({ read }) => read.relation);
  const relation = relations.find((known) => known !== null) ?? null;
  const is_geographic = claim?.kind === 'geographic_2d' || claim?.kind === 'geographic_3d';
  if (relation === 'swapped' || relation === 'swapped_sign') return 'axis_swapped';
  if (relation === 'sibling' && best.read.record.id === claim?.id && best.read.swapped) return 'axis_swapped';
  if (relation === 'sign') return otherwise;
  if (relation === 'unit') return 'wrong_unit';
  if (relation === 'zone') return 'wrong_zone';
  if (relation === 'replacement' && claim?.deprecated) return 'deprecated';
  if (relation === 'degrees') return claim?.kind === 'projected' ? 'degrees_as_metres' : otherwise;
  if (is_geographic && best.read.record.kind === 'projected') return 'metres_as_degrees';
  return otherwise;
}

/** One sentence that says what is wrong with the claim. */
export function reasonOfVerdict(
  verdict: CrsVerdict,
  claimed: ClaimedCrs,
  fit: ClaimFit,
  region: PriorRegion | null,
  lead: PlaceCluster | null,
  equally_good: number,
  question: CrsQuestion,
): string {
  const { record, name } = claimed;
  const read = lead?.best.read ?? null;
  const named = lead ? crsText(lead.best) : '';
  const ambiguous = equally_good > 1 ? ` ${countWords(equally_good)} places fit equally; no CRS is named.` : '';
  const there = lead && region && (lead.best.fit ?? 0) >= 0.8 ? inRegion(region) : null;
  switch (verdict) {
    case 'metres_as_degrees':
      return read
        ? `The numbers are ${unitName(read.record)} of ${named}; the claim says degrees.`
        : `The numbers are too great for degrees, which ${name} claims.${ambiguous}`;
    case 'degrees_as_metres':
      return `The numbers are degrees${read?.swapped ? ', latitude first' : ''}; the claim says ${record ? unitName(record) : 'metres'}.${ambiguous}`;
    case 'axis_swapped':
      return `x and y are swapped${read && signsOf(read) ? `, and the sign of ${signsOf(read)} is lost` : ''}${there ? `: read as y,x they lie ${there}` : ''}.`;
    case 'wrong_unit':
      return `The numbers are ${read?.unit ?? (read ? unitName(read.record) : 'in another unit')}; the claim says ${record ? unitName(record) : 'another unit'}.`;
    case 'wrong_zone':
      return `The numbers are of ${read ? `${read.record.name} (${named})` : 'another zone'}; the claim says ${record?.name ?? name}.`;
    case 'deprecated':
      return lead
        ? `${record?.id ?? name} is deprecated; its replacement ${named} puts the numbers at ${degreesWords(lead.best.place)}.`
        : `${record?.id ?? name} is deprecated.`;
    case 'outside_area_of_use':
      if (read?.relation === 'sign')
        return `${read.x_sign < 0 ? 'x' : 'y'} has lost its sign: ${outWords(fit, record)}.`;
      return `${capital(outWords(fit, record))}.${ambiguous}`;
    default:
      if (read?.relation === 'sign')
        return `The sign of ${signsOf(read)} is lost: with it the numbers lie ${there ?? 'where expected'}.`;
      return lead
        ? `${reasonOf(lead.best, question)}${there ? `, and they lie ${there}` : ''}; the claim does not put them there.`
        : `${region ? `The claim puts it ${awayWords(fit, region)}` : capital(outWords(fit, record))}.${ambiguous}`;
  }
}

/** Why the claim agrees. */
export function soundReason(record: CrsRecord | null, fit: ClaimFit, region: PriorRegion | null): string {
  const in_area = !record?.area
    ? 'on the Earth'
    : fit.out === 0
      ? 'in its area of use'
      : `${distanceWords(fit.out * METRES_PER_DEGREE)} outside its area of use, which is roughly drawn`;
  if (!region) return `Lies ${in_area}.`;
  return fit.away === 0
    ? `Lies ${inRegion(region)} and ${in_area}.`
    : `Lies ${in_area}, ${awayWords(fit, region)}; nothing else fits better.`;
}

export function noClaimReason(lead: PlaceCluster | null, equally_good: number, question: CrsQuestion): string {
  if (lead) return `There is no claim. ${reasonOf(lead.best, question)}.`;
  if (equally_good === 0) return 'There is no claim, and no known CRS fits the numbers.';
  return equally_good === 1
    ? 'There is no claim, and too little speaks for the only place that fits.'
    : `There is no claim. ${countWords(equally_good)} places fit equally; no CRS is named.`;
}

const inRegion = ({ by }: PriorRegion) => (by === 'siblings' ? REGION_WORDS.siblings : `in ${REGION_WORDS[by]}`);

function awayWords(fit: ClaimFit, region: PriorRegion): string {
  return fit.place === null
    ? 'nowhere on the Earth'
    : `${distanceWords(fit.away * METRES_PER_DEGREE)} from ${REGION_WORDS[region.by]}`;
}

function outWords(fit: ClaimFit, record: CrsRecord | null): string {
  if (fit.place === null) return 'the claim puts the numbers nowhere on the Earth';
  const area = record?.area_name ? ` (${record.area_name.split(/[;.]/)[0]?.trim()})` : '';
  return `the claim puts it ${distanceWords(fit.out * METRES_PER_DEGREE)} outside its area of use${area}`;
}

/** "13.76E 45.65N": the shift between datums, up to half a kilometre, is not in it. */
function degreesWords([lon, lat]: readonly [number, number]): string {
  return `${Math.abs(lon).toFixed(2)}${lon < 0 ? 'W' : 'E'} ${Math.abs(lat).toFixed(2)}${lat < 0 ? 'S' : 'N'}`;
}

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
const countWords = (count: number): string => WORDS[count] ?? String(count);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
