import { boxesTouch, degreesFrom } from '@/lib/crs/geo-box';
import { allCrs, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { AS_IT_IS, type Draft, type Point, SWAPPED, UNSIGNED } from './draft';
import type { Random } from './random';

/**
 * What goes wrong, and how often of 100. Every kind that the product names has a share; the shares follow how often
 * such reports are seen, not how easily they are found. A draft that does not come off (no such CRS) is null and drawn
 * again.
 */
const WEIGHTS = {
  'axes swapped, degrees': 7,
  'axes swapped, projected': 7,
  'lost sign, degrees': 4,
  'lost sign, projected': 3,
  'swapped and lost sign': 4,
  'metres claimed as feet': 4,
  'feet claimed as metres': 4,
  'feet, no such CRS': 2,
  'wrong UTM zone': 7,
  'wrong hemisphere': 4,
  'wrong state-plane zone': 5,
  'wrong national grid': 7,
  'degrees claimed as projected': 6,
  'projected claimed as degrees': 7,
  'Web Mercator claimed as degrees': 5,
  'degrees claimed as Web Mercator': 3,
  'degrees claimed as UTM': 3,
  'other metres claimed as Web Mercator': 3,
  'no claim': 5,
  'deprecated code': 2,
  'typo of a digit': 6,
  'Gauss-Krüger zone prefix': 3,
  'SRID is not the claim': 4,
  'another CRS at random': 3,
  'code that is none': 2,
  'already in the target CRS': 3,
} as const;
export type MismatchKind = keyof typeof WEIGHTS;

export const SRID_DIFFERS: MismatchKind = 'SRID is not the claim';

export const MISMATCH_KINDS = Object.keys(WEIGHTS) as MismatchKind[];
const TOTAL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);

const inForce = (record: CrsRecord) => !record.deprecated && record.area !== null;
export const PROJECTED = allCrs().filter((record) => record.kind === 'projected' && inForce(record));
const EPSG = PROJECTED.filter(({ id }) => id.startsWith('EPSG:'));
const ESRI = PROJECTED.filter(({ id }) => id.startsWith('ESRI:'));
const GEOGRAPHIC = allCrs().filter(({ kind, id, ...rest }) => {
  const is_degrees = rest.unit_factor !== null && Math.abs(rest.unit_factor - Math.PI / 180) < 1e-9;
  return kind === 'geographic_2d' && id.startsWith('EPSG:') && inForce({ kind, id, ...rest }) && is_degrees;
});
const UTM = EPSG.filter(({ name }) => / \/ UTM zone \d+[NS]$/.test(name));
const BY_NAME = new Map(EPSG.map((record) => [record.name, record]));
const STATE_PLANE = EPSG.filter(
  ({ name }) => /^NAD(27|83)[^/]* \/ [A-Z][a-z]+/.test(name) && !/UTM|MTM|zone \d|CRS/.test(name),
);
const FEET = EPSG.filter(({ name }) => / \(ft(US)?\)$/.test(name) && metresTwin(name));
const GAUSS = EPSG.filter(({ name }) => /Gauss-Kruger (zone|CM) /.test(name));
const NATIONAL = EPSG.filter(({ name, area }) => area && !/UTM|Gauss|zone|CM|EPSG|SCAR/i.test(name));
const DEPRECATED = allCrs().filter(
  ({ kind, deprecated, replacements, area }) => kind === 'projected' && deprecated && area && replacements.length > 0,
);
const WGS84 = crsOf('EPSG:4326') as CrsRecord;
const MERCATOR = crsOf('EPSG:3857') as CrsRecord;

/** Nine tenths EPSG, the rest Esri's: uniform over the codes in force, as nothing says which are used more. */
export const anyProjected = (random: Random): CrsRecord => random.pick(random.chance(0.9) ? EPSG : ESRI);

function metresTwin(name: string): CrsRecord | null {
  const plain = name.replace(/ \(ft(US)?\)$/, '');
  return BY_NAME.get(plain) ?? BY_NAME.get(`${plain} (m)`) ?? null;
}

/** A kind by the declared weights. */
export function drawKind(random: Random): MismatchKind {
  let left = random.next() * TOTAL;
  for (const kind of MISMATCH_KINDS) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return MISMATCH_KINDS[0] as MismatchKind;
}

export function draftMismatch(kind: MismatchKind, random: Random): Draft | null {
  const spoiled = (truth: CrsRecord | null, claim: CrsRecord | null, damage = AS_IT_IS, at = truth): Draft | null => {
    if (!truth || !claim || !at?.area) return null;
    const places = random.geometryAt(random.placeIn(at.area));
    const target_crs = random.chance(0.3)
      ? random.pick(['EPSG:4326', 'EPSG:3857', targetAt(random, places[0] as Point)])
      : null;
    return { kind, truth, places, src_crs: claim.id, srid: srid(claim, random), target_crs, damage };
  };
  const degrees = () => (random.chance(0.6) ? WGS84 : random.pick(GEOGRAPHIC));
  switch (kind) {
    case 'axes swapped, degrees': {
      const crs = degrees();
      return spoiled(crs, crs, SWAPPED);
    }
    case 'axes swapped, projected': {
      const crs = anyProjected(random);
      return spoiled(crs, crs, SWAPPED);
    }
    case 'lost sign, degrees': {
      const crs = degrees();
      return negative(spoiled(crs, crs, UNSIGNED));
    }
    case 'lost sign, projected': {
      const crs = random.chance(0.5) ? MERCATOR : anyProjected(random);
      return spoiled(crs, crs, UNSIGNED);
    }
    case 'swapped and lost sign': {
      const crs = random.chance(0.7) ? degrees() : random.chance(0.5) ? MERCATOR : anyProjected(random);
      return spoiled(crs, crs, (point) => UNSIGNED(SWAPPED(point)));
    }
    case 'metres claimed as feet': {
      const feet = random.pick(FEET);
      return spoiled(metresTwin(feet.name), feet);
    }
    case 'feet claimed as metres': {
      const feet = random.pick(FEET);
      return spoiled(feet, metresTwin(feet.name));
    }
    case 'feet, no such CRS': {
      const crs = anyProjected(random);
      const factor = random.pick([0.3048, 1200 / 3937]) / (crs.unit_factor ?? 1);
      return factor > 0.99 ? null : spoiled(crs, crs, ([x, y]) => [x / factor, y / factor]);
    }
    case 'wrong UTM zone': {
      const claim = random.pick(UTM);
      const [, stem = '', zone = '', half = ''] = /^(.* zone )(\d+)([NS])$/.exec(claim.name) ?? [];
      const away = random.pick([-3, -2, -1, -1, -1, 1, 1, 1, 2, 3]);
      return spoiled(BY_NAME.get(`${stem}${((Number(zone) + away + 59) % 60) + 1}${half}`) ?? null, claim);
    }
    case 'wrong hemisphere': {
      const claim = random.pick(UTM);
      return spoiled(BY_NAME.get(claim.name.replace(/[NS]$/, (half) => (half === 'N' ? 'S' : 'N'))) ?? null, claim);
    }
    case 'wrong state-plane zone': {
      const claim = random.pick(STATE_PLANE);
      const state = stateOf(claim.name);
      const others = STATE_PLANE.filter(
        (other) => stateOf(other.name) === state && other.id !== claim.id && other.unit === claim.unit,
      );
      return others.length === 0 ? null : spoiled(random.pick(others), claim);
    }
    case 'wrong national grid': {
      const truth = random.pick(NATIONAL);
      const near = NATIONAL.filter(
        ({ id, area, base }) =>
          id !== truth.id && base !== truth.base && area && truth.area && boxesTouch(area, truth.area, 3),
      );
      return near.length === 0 ? null : spoiled(truth, random.pick(near));
    }
    case 'degrees claimed as projected':
    case 'degrees claimed as UTM': {
      const claim = kind === 'degrees claimed as UTM' ? random.pick(UTM) : anyProjected(random);
      return spoiled(WGS84, claim, random.chance(0.25) ? SWAPPED : AS_IT_IS, claim);
    }
    case 'projected claimed as degrees':
      return spoiled(anyProjected(random), degrees());
    case 'Web Mercator claimed as degrees':
      return spoiled(MERCATOR, degrees());
    case 'degrees claimed as Web Mercator':
      return spoiled(WGS84, MERCATOR, random.chance(0.25) ? SWAPPED : AS_IT_IS);
    case 'other metres claimed as Web Mercator':
      return random.chance(0.5) ? spoiled(anyProjected(random), MERCATOR) : mercatorAs(anyProjected(random), spoiled);
    case 'no claim': {
      const truth = random.chance(0.3) ? WGS84 : random.chance(0.2) ? MERCATOR : anyProjected(random);
      const draft = spoiled(truth, truth, random.chance(0.15) ? SWAPPED : AS_IT_IS);
      const src_crs = random.pick([null, null, null, '', 'None', 'unknown']);
      return draft && { ...draft, src_crs, srid: random.pick([null, 0]) };
    }
    case 'deprecated code': {
      const claim = random.pick(DEPRECATED);
      return spoiled(crsOf(random.pick(claim.replacements)), claim);
    }
    case 'typo of a digit': {
      const truth = random.pick(EPSG);
      const claim = crsOf(`EPSG:${mistyped(truth.id.slice(5), random)}`);
      return claim && claim.id !== truth.id && ['projected', 'geographic_2d'].includes(claim.kind)
        ? spoiled(truth, claim)
        : null;
    }
    case 'Gauss-Krüger zone prefix': {
      const claim = random.pick(GAUSS);
      const stem = claim.name.replace(/ (zone|CM) .*/, '');
      const others = GAUSS.filter(
        ({ id, name, area }) =>
          id !== claim.id && name.startsWith(stem) && JSON.stringify(area) === JSON.stringify(claim.area),
      );
      return others.length === 0 ? null : spoiled(random.pick(others), claim);
    }
    case 'SRID is not the claim': {
      const truth = random.pick(EPSG);
      const near = EPSG.filter(
        ({ id, area }) => id !== truth.id && area && truth.area && boxesTouch(area, truth.area, 1),
      );
      const other = near.length > 0 ? random.pick(near) : null;
      const is_text_right = random.chance(0.5);
      const draft = spoiled(truth, is_text_right ? truth : other);
      return draft && other && { ...draft, srid: Number((is_text_right ? other : truth).id.slice(5)) };
    }
    case 'another CRS at random':
      return spoiled(anyProjected(random), anyProjected(random));
    case 'code that is none': {
      const draft = spoiled(random.pick(EPSG), WGS84);
      const code = draft ? mistyped(draft.truth.id.slice(5), random) : '';
      const is_none = !crsOf(`EPSG:${code}`) && !crsOf(`ESRI:${code}`);
      return draft && is_none ? { ...draft, src_crs: `EPSG:${code}`, srid: null } : null;
    }
    case 'already in the target CRS': {
      const claim = random.chance(0.5) ? WGS84 : anyProjected(random);
      if (!claim.area) return null;
      const target = random.chance(0.4) ? MERCATOR : crsOf(targetAt(random, random.placeIn(claim.area)));
      const draft = spoiled(target, claim);
      return draft && { ...draft, target_crs: draft.truth.id };
    }
  }
}

type Spoil = (truth: CrsRecord, claim: CrsRecord, damage: (point: Point) => Point, at: CrsRecord) => Draft | null;
const mercatorAs = (claim: CrsRecord, spoiled: Spoil) => spoiled(MERCATOR, claim, AS_IT_IS, claim);

const negative = (draft: Draft | null) => (draft?.places.some(([x, y]) => x < 0 || y < 0) ? draft : null);

/** Half of the writers set the geometry's SRID, to the claim where that is a number of EPSG. */
const srid = ({ id }: CrsRecord, random: Random): number | null =>
  random.chance(0.5) && id.startsWith('EPSG:') ? Number(id.slice(5)) : null;

export function targetAt(random: Random, place: Point): string {
  for (let i = 0; i < 2000; i++) {
    const { id, area } = random.pick(EPSG);
    if (area && degreesFrom(area, place) === 0) return id;
  }
  return 'EPSG:3857';
}

/** "NAD83 Texas": every zone of a state under one datum. */
const stateOf = (name: string): string =>
  name.replace(/ \((ft|ftUS|m)\)$/, '').replace(/ (North|South|East|West|Central|zone|Northern|Southern)\b.*/, '');

function mistyped(code: string, random: Random): string {
  const digits = [...code];
  const at = random.whole(0, digits.length - 1);
  if (random.chance(0.3) && at + 1 < digits.length)
    [digits[at], digits[at + 1]] = [digits[at + 1] as string, digits[at] as string];
  else digits[at] = String(random.whole(0, 9));
  return digits.join('');
}
