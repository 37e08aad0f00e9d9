import type { Candidate } from './crs-evidence';
import type { Lead, PlaceCluster } from './detective';
import { degreesFrom, nearestIn } from './geo-box';
import type { PriorRegion } from './prior-region';
import { shareInRegion } from './prior-region';
import type { Bbox } from './registry/registry';
import type { CrsQuestion } from './related-claims';
import { bearingTo, METRES_PER_DEGREE, metresBetween } from './sphere';
import { projInUnit, UNITS, unitName } from './unit-twins';

const MAX_CANDIDATES = 8;
const MAX_EQUIVALENTS = 12;

/** The clusters as candidates, best first. */
export function candidatesOf(clusters: readonly PlaceCluster[], question: CrsQuestion, tile: Bbox | null): Candidate[] {
  return clusters.slice(0, MAX_CANDIDATES).map(({ best, others }) => {
    const { read, place } = best;
    const { swapped, x_sign, y_sign } = read;
    const nearest = tile && nearestIn(tile, place);
    const away = nearest && metresBetween(place, nearest);
    const crs = crsText(best);
    return {
      crs,
      name: read.unit === null ? read.record.name : `${read.record.name} in ${read.unit}`,
      swapped,
      x_sign,
      y_sign,
      place: [...place],
      score: Number(best.score.toFixed(3)),
      reason: `${reasonOf(best, question)}${whereOf(best, question.region)}.`,
      equivalents: [...new Set(others.filter((other) => isSameReading(other, best)).map(crsText))]
        .filter((id) => id !== crs)
        .slice(0, MAX_EQUIVALENTS),
      in_prior: question.region ? shareInRegion(question.region, best.places) : null,
      to_tile_m: away === null ? null : Math.round(away),
      to_tile_bearing: nearest === null || !away ? null : Math.round(bearingTo(place, nearest)),
    };
  });
}

/** The id; a text for PROJ where the numbers are in a unit that no CRS of the registry has for this projection. */
export function crsText({ read }: Lead): string {
  const unit = UNITS.find(({ name }) => name === read.unit);
  return (unit && projInUnit(read.record, unit)) ?? read.record.id;
}

const isSameReading = (a: Lead, b: Lead) =>
  a.read.swapped === b.read.swapped && a.read.x_sign === b.read.x_sign && a.read.y_sign === b.read.y_sign;

/** How the reading comes about, without a full stop. */
export function reasonOf({ read }: Lead, { claim, claim_code }: CrsQuestion): string {
  const { record, relation } = read;
  const claimed = claim_code ? `${claim_code.authority}:${claim_code.code}` : (claim?.id ?? 'the claim');
  switch (relation) {
    case 'claim':
      return `The text claims ${record.id}`;
    case 'swapped':
      return 'The claim with x and y swapped';
    case 'sign':
    case 'swapped_sign':
      return `The claim with ${read.swapped ? 'x and y swapped and ' : ''}the sign of ${signsOf(read)} turned`;
    case 'replacement':
      return `${record.id} replaces ${claimed}`;
    case 'unit':
      return `The claimed projection with numbers in ${read.unit ?? unitName(record)}`;
    case 'zone':
      return `A neighbour of the claimed zone, ${record.name}`;
    case 'origin':
      return `The claimed projection with the false origin of ${record.name}`;
    case 'srid':
      return `The geometry's SRID says ${record.id}`;
    case 'degrees':
      return `The numbers are degrees${read.swapped ? ', latitude first' : ''}${signsOf(read) ? ` with the sign of ${signsOf(read)} turned` : ''}`;
    case 'web_mercator':
      return `The numbers are Web Mercator metres${read.swapped ? ', y first' : ''}`;
    case 'target':
      return 'The numbers are in the CRS that the task wanted to project into';
    case 'sibling':
      return `Other entries of the task lie right in ${record.id}${read.swapped ? ' with x and y swapped' : ''}`;
    case 'typo':
      return `Its code is one digit away from ${claimed}`;
    default:
      return `The numbers fit the area of use of ${record.name}${read.swapped ? ', y first' : ''}`;
  }
}

export function signsOf({ x_sign, y_sign }: Pick<Candidate, 'x_sign' | 'y_sign'>): string {
  return [x_sign < 0 ? 'x' : '', y_sign < 0 ? 'y' : ''].filter(Boolean).join(' and ');
}

export const REGION_WORDS: Readonly<Record<PriorRegion['by'], string>> = {
  tile: 'its tile',
  siblings: 'where others of the task lie',
  params: "the box of the task's params",
};

function whereOf({ fit, place, read }: Lead, region: PriorRegion | null): string {
  if (region && fit !== null) {
    if (fit >= 0.8) return `; lies in ${REGION_WORDS[region.by]}`.replace('lies in where', 'lies where');
    return `; ${distanceWords(metresBetween(place, nearestIn(region.box, place)))} from ${REGION_WORDS[region.by]}`;
  }
  const { area } = read.record;
  if (!area) return '';
  const out = degreesFrom(area, place);
  return out === 0
    ? '; lies in its area of use'
    : `; ${distanceWords(out * METRES_PER_DEGREE)} outside its area of use`;
}

/** "850 m", "12 km", "1234 km". */
export function distanceWords(metres: number): string {
  if (metres < 950) return `${Math.round(metres / 10) * 10} m`;
  return metres < 9_950 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres / 1000)} km`;
}
