import { toLonLat } from './place';
import type { CrsRecord } from './registry/registry';
import type { LonLat } from './sphere';

/** How a hypothesis comes from what is claimed; null where only its envelope speaks for it. */
export type Relation =
  | 'claim'
  | 'swapped'
  | 'sign'
  | 'swapped_sign'
  | 'replacement'
  | 'unit'
  | 'zone'
  | 'origin'
  | 'srid'
  | 'degrees'
  | 'web_mercator'
  | 'base'
  | 'projected'
  | 'target'
  | 'sibling'
  | 'typo';

/** Mistakes that keep the claim, its zone or its unit: much likelier than another CRS that happens to fit. */
export const CLOSE_RELATIONS: readonly (Relation | null)[] = [
  'swapped',
  'sign',
  'swapped_sign',
  'replacement',
  'unit',
  'zone',
  'srid',
];

/** One way to read the numbers: swapped first, then the signs, then the scale, then the CRS. */
export interface Hypothesis {
  record: CrsRecord;
  swapped: boolean;
  x_sign: 1 | -1;
  y_sign: 1 | -1;
  /** What the numbers are multiplied by to be in the unit of `record`; 1 but for a unit that no registered CRS has. */
  scale: number;
  /** The unit that `scale` comes from. */
  unit: string | null;
  relation: Relation | null;
  /** Log10 of how much likelier than a CRS taken at random it was before the numbers were seen. */
  weight: number;
}

const PLAIN = { swapped: false, x_sign: 1, y_sign: 1, scale: 1, unit: null } as const;

/** A hypothesis that reads the numbers as they are, but for what `change` says. */
export function hypothesis(
  record: CrsRecord,
  relation: Relation | null,
  weight: number,
  change: Partial<Pick<Hypothesis, 'swapped' | 'x_sign' | 'y_sign' | 'scale' | 'unit'>> = {},
): Hypothesis {
  return { ...PLAIN, ...change, record, relation, weight };
}

/** Where a vertex lies under the hypothesis, by proj4 and without a shift of datum; null where it lies nowhere. */
export function placeUnder(read: Hypothesis, [x, y]: readonly [number, number]): LonLat | null {
  const across = read.x_sign * read.scale * (read.swapped ? y : x);
  const up = read.y_sign * read.scale * (read.swapped ? x : y);
  const place = toLonLat(read.record, across, up);
  return place && Number.isFinite(place[0]) && Math.abs(place[1]) <= 90 ? place : null;
}
