import type { Bbox } from '@/lib/crs/registry/registry';
import type { Point } from './draft';

/** Footprint of the tile of a zoom that holds a place, moved by whole tiles; null beyond the world's rows. */
export function tileHolding([lon, lat]: Point, zoom: number, [across, down]: readonly [number, number]): Bbox | null {
  const count = 2 ** zoom;
  const radians = (Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180;
  const column = Math.floor(((lon + 180) / 360) * count) + across;
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * count) + down;
  if (row < 0 || row >= count) return null;
  const x = ((column % count) + count) % count;
  const north = (n: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * n) / count))) * 180) / Math.PI;
  return [(x / count) * 360 - 180, north(row + 1), ((x + 1) / count) * 360 - 180, north(row)];
}
