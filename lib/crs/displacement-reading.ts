import { agrees, type Displaced, type Explanation, type SourceGrid } from './displacement-group';
import { median } from './displacement-median';
import { type LonLat, metresBetween } from './sphere';
import { MAX_LAT } from './web-mercator';

/**
 * Another reading of the same numbers puts them into their tiles: axes swapped, a sign lost, another unit. Of those that
 * agree, the one that comes nearest; null where none does.
 */
export function firstReading(group: Displaced, grid: SourceGrid | null): Explanation | null {
  return nearest(group, DEGREES.map(onDegrees(group))) ?? (grid ? nearest(group, onGrid(group, grid)) : null);
}

interface Tried extends Explanation {
  errors: readonly (number | null)[];
}

function nearest({ tolerance_m }: Displaced, tried: readonly Tried[]): Explanation | null {
  let best: { explanation: Explanation; error: number } | null = null;
  for (const { errors, kind, sentence } of tried) {
    if (!agrees(errors, tolerance_m)) continue;
    const error = median(errors.filter((one) => one !== null));
    if (!best || error < best.error) best = { explanation: { kind, sentence }, error };
  }
  return best?.explanation ?? null;
}

interface OnDegrees extends Explanation {
  read(lon: number, lat: number): LonLat;
  /** The longitude comes from a latitude, which a cell cuts at the map's edge. */
  swaps: boolean;
}

const SIGN_AND_SWAP = {
  kind: 'swapped_and_sign_lost',
  sentence: 'mirrored: axis swap and a lost sign',
  swaps: true,
} as const;
const DEGREES: readonly OnDegrees[] = [
  { kind: 'swapped', sentence: 'mirrored: axis swap', read: (lon, lat) => [lat, lon], swaps: true },
  {
    kind: 'sign_lost',
    sentence: 'mirrored at the equator: lost sign of the latitude',
    read: (lon, lat) => [lon, -lat],
    swaps: false,
  },
  {
    kind: 'sign_lost',
    sentence: 'mirrored at Greenwich: lost sign of the longitude',
    read: (lon, lat) => [-lon, lat],
    swaps: false,
  },
  {
    kind: 'sign_lost',
    sentence: 'mirrored at the equator and at Greenwich: both signs lost',
    read: (lon, lat) => [-lon, -lat],
    swaps: false,
  },
  { ...SIGN_AND_SWAP, read: (lon, lat) => [-lat, lon] },
  { ...SIGN_AND_SWAP, read: (lon, lat) => [lat, -lon] },
  { ...SIGN_AND_SWAP, read: (lon, lat) => [-lat, -lon] },
];

const onDegrees =
  (group: Displaced) =>
  ({ kind, sentence, read, swaps }: OnDegrees): Tried => ({
    kind,
    sentence,
    errors: group.landings.map(({ from, to }) => {
      const [lon, lat] = read(from[0], from[1]);
      if (Math.abs(lat) > 90) return null;
      const cut = swaps && Math.abs(from[1]) >= MAX_LAT - 1e-5;
      // what lay beyond the edge is unknown up to the pole, so every longitude there agrees
      const meant =
        cut && Math.sign(to[0]) === Math.sign(lon) && Math.abs(to[0]) >= MAX_LAT - 0.1 && Math.abs(to[0]) <= 90.1
          ? to[0]
          : lon;
      return metresBetween([meant, lat], to);
    }),
  });

/** What the numbers are multiplied by in the claim's unit, and what was mistaken for what. */
const SCALES: readonly (readonly [factor: number, words: string])[] = [
  [0.3048, 'feet read as metres'],
  [1 / 0.3048, 'metres read as feet'],
  [0.001, 'millimetres read as metres'],
  [0.01, 'centimetres read as metres'],
  [1000, 'kilometres read as metres'],
];

/** The claim's own unit is in the words only where it is a metre; in a grid of feet "metres read as feet" says the same. */
function onGrid({ landings }: Displaced, grid: SourceGrid): Tried[] {
  const pairs = landings.map(({ from, to }) => {
    const [a, b] = [grid.forward(from), grid.forward(to)];
    return a && b ? { a, b } : null;
  });
  const errorsOf = (read: (x: number, y: number) => readonly [number, number]) =>
    pairs.map((pair) => {
      if (!pair) return null;
      const [x, y] = read(pair.a[0], pair.a[1]);
      return Math.hypot(x - pair.b[0], y - pair.b[1]) * grid.metres_per_unit;
    });
  return [
    { kind: 'swapped', sentence: `mirrored: axis swap in ${grid.crs}`, errors: errorsOf((x, y) => [y, x]) },
    { kind: 'sign_lost', sentence: `mirrored: lost sign of x in ${grid.crs}`, errors: errorsOf((x, y) => [-x, y]) },
    { kind: 'sign_lost', sentence: `mirrored: lost sign of y in ${grid.crs}`, errors: errorsOf((x, y) => [x, -y]) },
    { kind: 'sign_lost', sentence: `mirrored: both signs lost in ${grid.crs}`, errors: errorsOf((x, y) => [-x, -y]) },
    ...SCALES.map(
      ([factor, words]): Tried => ({
        kind: 'scaled',
        sentence: `scaled by ${Number(factor.toPrecision(4))} in ${grid.crs}: ${words}`,
        errors: errorsOf((x, y) => [x * factor, y * factor]),
      }),
    ),
  ];
}
