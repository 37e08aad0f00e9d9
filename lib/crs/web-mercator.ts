import type { LonLat } from './sphere';

export type TileAddress = { z: number; x: number; y: number };

/** Latitude of Web Mercator's edge: the map, a tile and a cell hold nothing beyond it. */
export const MAX_LAT = 85.051128779806604;

/** World square of Web Mercator: 0,0 north-west, 1,1 south-east; y is cut off at the edges. */
export function toWorld([lon, lat]: LonLat): [number, number] {
  const cut = Math.max(-MAX_LAT, Math.min(MAX_LAT, lat));
  return [(lon + 180) / 360, 0.5 - Math.asinh(Math.tan((cut * Math.PI) / 180)) / (2 * Math.PI)];
}

export function fromWorld(x: number, y: number): [lon: number, lat: number] {
  return [x * 360 - 180, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI];
}

/** Bounds of a tile in degrees. */
export function tileBbox({ z, x, y }: TileAddress): [west: number, south: number, east: number, north: number] {
  const n = 2 ** z;
  const [west, north] = fromWorld(x / n, y / n);
  const [east, south] = fromWorld((x + 1) / n, (y + 1) / n);
  return [west, south, east, north];
}

/** Middle of the tile on the map (in Mercator, so that boxes and arrows meet there). */
export function tileCentre({ z, x, y }: TileAddress): [lon: number, lat: number] {
  const n = 2 ** z;
  return fromWorld((x + 0.5) / n, (y + 0.5) / n);
}
