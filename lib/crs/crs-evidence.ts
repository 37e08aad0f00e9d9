import type { CrsVerdict } from '@/lib/dead-letter/vocabulary';
import type { Bbox } from './registry/registry';
import type { VertexSample } from './vertex-sample';

/** What accepted geometries of the same task (and source) tell: where they lie, and in which CRS. */
export interface SiblingPrior {
  /** In degrees. */
  bbox: Bbox | null;
  accepted: { crs: string; swapped: boolean; count: number }[];
}

/** All that a verdict rests on. */
export interface CrsEvidence {
  /** Null where the geometry has no finite vertex, or there is none. */
  sample: VertexSample | null;
  /** Some vertex is NaN or infinite. */
  non_finite: boolean;
  is_empty: boolean;
  src_crs: string | null;
  srid: number | null;
  target_crs: string | null;
  /**
   * Where the database's PROJ puts the vertices of `standForSample` under the claim, lon,lat, each null where it
   * failed; null where it was not asked.
   */
  placed: { points: ([number, number] | null)[]; error: string | null } | null;
  /** Footprint of the entry's tile in degrees. */
  tile: Bbox | null;
  siblings: SiblingPrior | null;
  /** A box among the task's params, in degrees. */
  params_bbox: Bbox | null;
}

/** A CRS under which the geometry would lie somewhere sensible. */
export interface Candidate {
  /** An id of the registry; a PROJ string where the numbers are in a unit that no registered CRS of that projection has. */
  crs: string;
  name: string;
  /** The numbers are read as y,x. */
  swapped: boolean;
  /** Multiplies the axis, after the swap. */
  x_sign: 1 | -1;
  y_sign: 1 | -1;
  place: [lon: number, lat: number];
  /** Log10 of odds, up to a constant that all candidates of the entry share. */
  score: number;
  reason: string;
  /** Others that put it within 500 m of the same place. */
  equivalents: string[];
  /** Share (0–1) of the vertices that stand for the sample inside the tile, else where siblings or params lie. */
  in_prior: number | null;
  to_tile_m: number | null;
  /** Degrees from north, from the candidate's place to the tile. */
  to_tile_bearing: number | null;
}

export interface CrsJudgement {
  /** Null where there is no geometry and nothing to say. */
  crs_verdict: CrsVerdict | null;
  /** The others that hold, by precedence. */
  also: CrsVerdict[];
  crs_reason: string | null;
  /** Best first, one for each place, at most 8. */
  candidates: Candidate[];
  /** `crs` of the first candidate where it leads clearly. */
  suggestion: string | null;
}
