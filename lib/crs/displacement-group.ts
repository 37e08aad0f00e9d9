import type { LonLat } from './sphere';

export const DISPLACEMENT_KINDS = [
  'in_tiles',
  'swapped',
  'sign_lost',
  'swapped_and_sign_lost',
  'scaled',
  'zone_shift',
  'constant',
  'scattered',
  'too_few',
  'tiles_too_large',
] as const;
export type DisplacementKind = (typeof DISPLACEMENT_KINDS)[number];

/** Where one entry landed and the middle of the tile that it belongs to. */
export interface Landing {
  from: LonLat;
  to: LonLat;
  tile_z: number;
  /** From the geometry's edge to its tile as the database measured it; null where it is not known to the asker. */
  tile_distance_m: number | null;
}

/** The coordinates that the claim speaks of, for hypotheses about the source's own numbers. */
export interface SourceGrid {
  crs: string;
  metres_per_unit: number;
  /** Null where the grid does not reach. */
  forward(place: LonLat): readonly [x: number, y: number] | null;
}

/** What a hypothesis sees of the displaced landings, its tolerance beside each: the side of its tile, in metres. */
export interface Displaced {
  landings: readonly Landing[];
  tolerance_m: readonly number[];
  distance_m: readonly number[];
}
export interface Explanation {
  kind: DisplacementKind;
  sentence: string;
}

/** So many must follow an explanation for it to be named. */
export const SHARE = 0.8;

/** Whether so many are within tolerance; a hypothesis that has no answer for a landing (null) is wrong there. */
export function agrees(errors: readonly (number | null)[], tolerance: readonly number[]): boolean {
  let within = 0;
  for (let i = 0; i < errors.length; i += 1) {
    const error = errors[i] ?? null;
    if (error !== null && error <= tolerance[i]!) within += 1;
  }
  return within >= SHARE * errors.length;
}
