import { type LonLat, wrapLon } from '@/lib/crs/sphere';
import type { TileAddress } from '@/lib/crs/web-mercator';

/** [west, south, east, north] in degrees; west > east crosses 180°. */
export type Bbox = readonly [number, number, number, number];

/** `z/x/y` as the tiles write a cell, or null where it is no tile's address. */
export function parseTile(text: string): TileAddress | null {
  const match = /^(\d{1,2})\/(\d+)\/(\d+)$/.exec(text);
  if (!match) return null;
  const [z, x, y] = match.slice(1).map(Number) as [number, number, number];
  return z <= 30 && x < 2 ** z && y < 2 ** z ? { z, x, y } : null;
}

/** The longitude equal to `lon` (mod 360) nearest to `reference`. */
export function nearestLon(lon: number, reference: number): number {
  return lon + 360 * Math.round((reference - lon) / 360);
}

/** Bounds of positions already unwrapped, or null without a finite one. East may pass 180. */
export function boundsOf(positions: Iterable<LonLat>): [number, number, number, number] | null {
  let box: [number, number, number, number] | null = null;
  for (const [lon, lat] of positions) {
    if (!Number.isFinite(lon) || !Number.isFinite(lat)) continue;
    if (!box) box = [lon, lat, lon, lat];
    else box = [Math.min(box[0], lon), Math.min(box[1], lat), Math.max(box[2], lon), Math.max(box[3], lat)];
  }
  return box;
}

/** The view's bounds as a filter takes them: in range, the whole world where it shows once or more. */
export function filterBbox([west, south, east, north]: Bbox): [number, number, number, number] {
  const round = (value: number) => Math.round(value * 1e5) / 1e5;
  const lats = [round(Math.max(-90, south)), round(Math.min(90, north))] as const;
  if (east - west >= 360) return [-180, lats[0], 180, lats[1]];
  return [round(wrapLon(west)), lats[0], east === 180 ? 180 : round(wrapLon(east)), lats[1]];
}

/** The longest bar of 1, 2, 3 or 5 times a power of ten that fits in `maxPx` at this latitude and zoom (512 px tiles). */
export function scaleBar(lat: number, zoom: number, maxPx: number): { metres: number; px: number } {
  const metresPerPx = (2 * Math.PI * 6_378_137 * Math.cos((lat * Math.PI) / 180)) / (512 * 2 ** zoom);
  const most = metresPerPx * maxPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 3, 2].find((factor) => factor * power <= most) ?? 1);
  return { metres, px: metres / metresPerPx };
}
