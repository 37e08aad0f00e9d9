import { agrees, type Displaced, type Explanation, type SourceGrid } from './displacement-group';
import { median } from './displacement-median';
import { lonBetween, toMercatorM } from './displacement-place';
import { compassOf, distanceText } from './distance-words';
import { METRES_PER_DEGREE } from './sphere';

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A UTM zone is so wide. */
const ZONE_DEGREES = 6;
/** Constant too where the offset varies by less than this share of itself: a grid's scale and a datum are not in it. */
const RELATIVE = 0.005;

type Vector = readonly [x: number, y: number];
/** One way to measure the way from landing to tile. */
interface Measure {
  name: string | null;
  vectors: readonly (Vector | null)[];
  /** How many metres on the ground one unit of it is, at each landing: x and y. */
  scale: readonly Vector[];
  /** Metres that are said of it; on the ground they are other. */
  metres_per_unit: number | null;
}

/** The way to the tile is the same for all: a zone, a false easting, a scale. Null where it is not. */
export function firstOffset(group: Displaced, grid: SourceGrid | null): Explanation | null {
  return zoneShift(group) ?? constantOffset(group, grid) ?? (grid ? freeScale(group, grid) : null);
}

function zoneShift({ landings, tolerance_m }: Displaced): Explanation | null {
  const shift = median(landings.map(({ from, to }) => lonBetween(from[0], to[0])));
  const zones = Math.round(shift / ZONE_DEGREES);
  if (zones === 0 || Math.abs(zones) > 29) return null;
  const errors = landings.map(({ from, to }) =>
    groundM([lonBetween(from[0], to[0]) - zones * ZONE_DEGREES, to[1] - from[1]], degreesOnGround(to[1])),
  );
  if (!agrees(errors, tolerance_m)) return null;
  const count = Math.abs(zones);
  const way = zones > 0 ? 'east' : 'west';
  return {
    kind: 'zone_shift',
    sentence: `constant ${count * ZONE_DEGREES}° ${way}: ${count === 1 ? 'one UTM zone' : `${count} UTM zones`} off`,
  };
}

/** Of the measures in which the offset is constant, the source's own first, else the one in which it varies least. */
function constantOffset(group: Displaced, grid: SourceGrid | null): Explanation | null {
  const { landings, tolerance_m, distance_m } = group;
  const tolerance = tolerance_m.map((side, i) => Math.max(side, RELATIVE * distance_m[i]!));
  let best: { measure: Measure; offset: Vector; error: number } | null = null;
  for (const measure of measuresOf(landings, grid)) {
    const known = measure.vectors.filter((vector) => vector !== null);
    const offset: Vector = [median(known.map(([x]) => x)), median(known.map(([, y]) => y))];
    const errors = measure.vectors.map(
      (vector, i) => vector && groundM([vector[0] - offset[0], vector[1] - offset[1]], measure.scale[i]!),
    );
    if (!agrees(errors, tolerance)) continue;
    const error = median(errors.filter((one) => one !== null));
    // another measure must be clearly better than one that says more
    if (!best || error < best.error / 2) best = { measure, offset, error };
  }
  if (!best) return null;
  return {
    kind: 'constant',
    sentence: offsetSentence(best.measure, best.offset, median(tolerance_m), median(distance_m)),
  };
}

function measuresOf(landings: Displaced['landings'], grid: SourceGrid | null): Measure[] {
  const measures: Measure[] = [];
  if (grid)
    measures.push({
      name: grid.crs,
      vectors: landings.map(({ from, to }) => between(grid.forward(from), grid.forward(to))),
      scale: landings.map(() => [grid.metres_per_unit, grid.metres_per_unit]),
      metres_per_unit: grid.metres_per_unit,
    });
  const degrees = landings.map(({ from, to }): Vector => [lonBetween(from[0], to[0]), to[1] - from[1]]);
  measures.push(
    {
      name: null,
      // along the parallel half way: the same distance is more degrees further from the equator
      vectors: landings.map(({ from, to }, i) => {
        const [x, y] = degrees[i]!;
        return [x * METRES_PER_DEGREE * Math.cos(radians((from[1] + to[1]) / 2)), y * METRES_PER_DEGREE];
      }),
      scale: landings.map(() => [1, 1]),
      metres_per_unit: 1,
    },
    {
      name: 'EPSG:3857',
      vectors: landings.map(({ from, to }, i) =>
        between(toMercatorM(from), toMercatorM([from[0] + degrees[i]![0], to[1]])),
      ),
      scale: landings.map(({ to }) => [Math.cos(radians(to[1])), Math.cos(radians(to[1]))]),
      metres_per_unit: 1,
    },
    {
      name: null,
      vectors: degrees,
      scale: landings.map(({ to }) => degreesOnGround(to[1])),
      metres_per_unit: null,
    },
  );
  return measures;
}

/** Offsets that a grid's definition makes when it is left out or put in twice, in metres. */
const FALSE_ORIGINS: readonly (readonly [axis: 0 | 1, metres: number, words: string])[] = [
  [0, 500_000, 'false easting'],
  [0, 400_000, 'false easting'],
  [0, 600_000, 'false easting'],
  [0, 609_601, 'false easting'],
  [0, 1_000_000, 'false easting'],
  [1, 10_000_000, 'false northing of the southern zones'],
];
const ZONE_PREFIX_M = 1_000_000;
/** A distance that came over the ground or through another grid's scale is not the round number itself. */
const ROUND = 0.005;

function offsetSentence(
  { name, metres_per_unit }: Measure,
  offset: Vector,
  tolerance_m: number,
  distance_m: number,
): string {
  if (metres_per_unit === null) {
    const [x, y] = offset;
    const parts = [axisDegrees(x, 'east', 'west'), axisDegrees(y, 'north', 'south')].filter((part) => part !== null);
    return `constant ${parts.join(' and ')} (${distanceText(distance_m)})`;
  }
  const metres: Vector = [offset[0] * metres_per_unit, offset[1] * metres_per_unit];
  const length = Math.hypot(metres[0], metres[1]);
  const way = compassOf(metres[0], metres[1]);
  const where = name ? ` in ${name}` : '';
  const origin = falseOrigin(metres, tolerance_m);
  // the tiles' width is in what was measured, not in the definition that explains it
  return `constant ${distanceText(origin?.metres ?? length)} ${way}${where}${origin ? `: ${origin.words}` : ''}`;
}

function falseOrigin(offset: Vector, tolerance_m: number): { metres: number; words: string } | null {
  for (const [axis, metres, words] of FALSE_ORIGINS) {
    const near = Math.max(tolerance_m, ROUND * metres);
    if (near > metres / 10) continue;
    if (Math.abs(Math.abs(offset[axis]) - metres) <= near && Math.abs(offset[1 - axis]!) <= near)
      return { metres, words };
  }
  const prefix = Math.round(Math.abs(offset[0]) / ZONE_PREFIX_M);
  const is_prefix = prefix > 1 && prefix <= 60 && Math.abs(Math.abs(offset[0]) - prefix * ZONE_PREFIX_M) <= tolerance_m;
  if (!is_prefix || Math.abs(offset[1]) > tolerance_m) return null;
  return { metres: prefix * ZONE_PREFIX_M, words: `the zone number ${prefix} before the easting` };
}

/** The same ratio about the grid's origin; the unit that it would be is not known. */
function freeScale({ landings, tolerance_m }: Displaced, grid: SourceGrid): Explanation | null {
  const pairs = landings.map(({ from, to }) => ({ a: grid.forward(from), b: grid.forward(to) }));
  const ratios = pairs.flatMap(({ a, b }) => {
    const square = a ? a[0] ** 2 + a[1] ** 2 : 0;
    return a && b && square > 0 ? [(a[0] * b[0] + a[1] * b[1]) / square] : [];
  });
  const ratio = median(ratios);
  if (!(ratio > 0)) return null;
  const errors = pairs.map(
    ({ a, b }) => a && b && Math.hypot(a[0] * ratio - b[0], a[1] * ratio - b[1]) * grid.metres_per_unit,
  );
  if (!agrees(errors, tolerance_m)) return null;
  return { kind: 'scaled', sentence: `scaled by ${Number(ratio.toPrecision(3))} about the origin of ${grid.crs}` };
}

function axisDegrees(value: number, positive: string, negative: string): string | null {
  const size = Math.abs(value);
  if (size < 0.005) return null;
  return `${size.toFixed(2)}° ${value > 0 ? positive : negative}`;
}

const between = (a: Vector | null, b: Vector | null): Vector | null => a && b && [b[0] - a[0], b[1] - a[1]];
const groundM = ([x, y]: Vector, [sx, sy]: Vector): number => Math.hypot(x * sx, y * sy);
const degreesOnGround = (lat: number): Vector => [METRES_PER_DEGREE * Math.cos(radians(lat)), METRES_PER_DEGREE];
