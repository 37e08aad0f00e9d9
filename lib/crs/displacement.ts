import type { Displaced, DisplacementKind, Landing, SourceGrid } from './displacement-group';
import { median, medianDeviation, medianPlace } from './displacement-median';
import { firstOffset } from './displacement-offset';
import { liesInTile, tileSideM } from './displacement-place';
import { firstReading } from './displacement-reading';
import { distanceText } from './distance-words';
import { bearingTo, type LonLat, metresBetween } from './sphere';

export interface Displacement {
  kind: DisplacementKind;
  sentence: string;
  /** How many of the landings lie in their tiles; the rest of the answer is about the others (about all where all do). */
  in_tile: number;
  from: LonLat;
  to: LonLat;
  /** Median great-circle distance, and the deviation from it that half of them stay within. */
  distance_m: number;
  spread_m: number;
  /** From the median place to the median tile, degrees clockwise from north; null where they share no direction. */
  bearing: number | null;
}

const FEW = 3;
/** Fewer displaced ones than this share are strays of a group that lies well. */
const STRAYS = 0.1;
/** A tile this wide, against the distance, would agree with many explanations. */
const LARGEST_TILE = 0.3;

/**
 * What the landings of one group have in common. Pure, never throws; null for no landing. Explanations without a
 * parameter (a swap, a lost sign) come before those with one (a scale, a zone), and these before a free offset, since
 * all of them agree where a group is as small as its tiles.
 */
export function describeDisplacement(landings: readonly Landing[], grid: SourceGrid | null): Displacement | null {
  if (landings.length === 0) return null;
  const displaced = landings.filter((landing) => !isInTile(landing));
  const in_tile = landings.length - displaced.length;
  if (displaced.length < landings.length * STRAYS || displaced.length === 0)
    return { ...summary(landings), kind: 'in_tiles', sentence: 'in their tiles', bearing: null, in_tile };
  const measured = summary(displaced);
  const group: Displaced = {
    landings: displaced,
    tolerance_m: displaced.map(({ to, tile_z }) => tileSideM(tile_z, to[1])),
    distance_m: displaced.map(({ from, to }) => metresBetween(from, to)),
  };
  const { bearing: direction, ...rest } = measured;
  if (median(group.tolerance_m) > LARGEST_TILE * measured.distance_m) {
    const sentence = `${distanceText(measured.distance_m)} from their tiles, which are too large to tell why`;
    return { ...rest, kind: 'tiles_too_large', sentence, bearing: null, in_tile };
  }
  const named = firstReading(group, grid) ?? (displaced.length < FEW ? null : firstOffset(group, grid));
  if (named) return { ...rest, ...named, bearing: direction, in_tile };
  if (displaced.length < FEW)
    return {
      ...rest,
      kind: 'too_few',
      sentence: tooFew(displaced.length, measured.distance_m),
      bearing: direction,
      in_tile,
    };
  return { ...rest, kind: 'scattered', sentence: 'no common displacement', bearing: null, in_tile };
}

function isInTile({ from, to, tile_z, tile_distance_m }: Landing): boolean {
  return tile_distance_m === null
    ? liesInTile(from, to, tile_z)
    : tile_distance_m === 0 || liesInTile(from, to, tile_z);
}

function summary(landings: readonly Landing[]) {
  const from = medianPlace(landings.map((landing) => landing.from));
  const to = medianPlace(landings.map((landing) => landing.to));
  const distances = landings.map((landing) => metresBetween(landing.from, landing.to));
  return {
    from,
    to,
    distance_m: median(distances),
    spread_m: medianDeviation(distances),
    bearing: bearingTo(from, to),
  };
}

function tooFew(count: number, distance_m: number): string {
  const far = distanceText(distance_m);
  return count === 1 ? `one alone, ${far} from its tile` : `two alone, ${far} from their tiles: too few to tell why`;
}
