import type { VertexSample } from './vertex-sample';

/** What the numbers alone tell. Degrees carry a little room: a buffer may pass 180° or a pole. */
export interface NumberShape {
  /** They can be longitude and latitude. */
  degrees: boolean;
  /** They can be latitude and longitude, and not the other way round. */
  swapped_degrees: boolean;
  /** Whole, none below zero, small and beyond degrees: rows and columns of an image. */
  pixels: boolean;
}

const MAX_LON = 180.5;
const MAX_LAT = 90.5;
/** Longitude counted from 0 to 360, as climate models do. */
const MAX_TURN = 360.5;
/** Wider than any camera's image; a projected CRS seldom has both of its numbers so small. */
const MAX_PIXEL = 20_000;

export function shapeOf({ bbox, all_integers }: VertexSample): NumberShape {
  const [minx, miny, maxx, maxy] = bbox;
  const isIn = (min: number, max: number, limit: number) => min >= -limit && max <= limit;
  const turns = minx >= -MAX_LON && maxx <= MAX_TURN;
  const degrees = (isIn(minx, maxx, MAX_LON) || turns) && isIn(miny, maxy, MAX_LAT);
  const swapped_degrees = !degrees && isIn(minx, maxx, MAX_LAT) && isIn(miny, maxy, MAX_LON);
  const is_small = minx >= 0 && miny >= 0 && Math.max(maxx, maxy) <= MAX_PIXEL;
  return { degrees, swapped_degrees, pixels: all_integers && is_small && !degrees && !swapped_degrees };
}
