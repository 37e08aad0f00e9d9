import type { CrsRecord } from '@/lib/crs/registry/registry';

export type Point = [number, number];

/** An entry before PROJ has said where things lie. */
export interface Draft {
  kind: string;
  /** The CRS that the numbers are in. */
  truth: CrsRecord;
  /** In degrees of EPSG:4326. */
  places: Point[];
  src_crs: string | null;
  srid: number | null;
  target_crs: string | null;
  /** What went wrong between the right numbers and the stored ones. */
  damage: (point: Point) => Point;
  /** A tile of its own instead of the one that holds the place, for sound entries. */
  tile?: { zoom: number; off: [number, number] } | null;
}

/** An entry with the truth, as JSON keeps it. */
export interface Entry {
  kind: string;
  truth: string;
  points: Point[];
  /** lon,lat of EPSG:4326 for each point. */
  places: Point[];
  src_crs: string | null;
  srid: number | null;
  target_crs: string | null;
  /** What the database's PROJ says for the vertices that stand for the sample, under the claim; null without a claim. */
  placed: { points: (Point | null)[]; error: string | null } | null;
  tile: { zoom: number; off: [number, number] } | null;
}

export const AS_IT_IS = (point: Point): Point => point;
export const SWAPPED = ([x, y]: Point): Point => [y, x];
export const UNSIGNED = ([x, y]: Point): Point => [Math.abs(x), Math.abs(y)];
