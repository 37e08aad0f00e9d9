import type { Bbox } from './vertices';

export interface Tile {
  tile_z: number;
  tile_x: number;
  tile_y: number;
}

/** The Web Mercator tile of a place. */
export function tileAt(lon: number, lat: number, tile_z: number): Tile {
  const n = 2 ** tile_z;
  const sin = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180);
  const clamp = (v: number) => Math.max(0, Math.min(n - 1, Math.floor(v)));
  return {
    tile_z,
    tile_x: clamp((((lon + 540) % 360) / 360) * n),
    tile_y: clamp((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * n),
  };
}

/** Its bounds in degrees. */
export function tileBounds({ tile_z, tile_x, tile_y }: Tile): Bbox {
  const n = 2 ** tile_z;
  const lat = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / n))) * 180) / Math.PI;
  return [(tile_x / n) * 360 - 180, lat(tile_y + 1), ((tile_x + 1) / n) * 360 - 180, lat(tile_y)];
}

/** Great-circle distance in kilometres. */
export function distanceKm(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
    Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
  return 12742 * Math.asin(Math.sqrt(Math.min(1, a)));
}
