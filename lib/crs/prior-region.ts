import { boxAround, boxesTouch, degreesFrom, latSpan, lonSpan } from './geo-box';
import type { Bbox } from './registry/registry';
import type { LonLat } from './sphere';

/** Where the geometry is expected, and what says so. */
export interface PriorRegion {
  box: Bbox;
  by: 'tile' | 'siblings' | 'params';
  /** Degrees of a great circle; the scale on which nearness is judged. */
  width: number;
}

/** Slack for buffers and for datum shifts, in degrees. */
const SLACK = 0.05;
const DATUM_SHIFT = 0.005;
/** The tiles of the highest zooms are smaller than the error of a shift of datum. */
const MIN_WIDTH = 0.02;

/** A box as a prior, or null where it says nothing: not finite, upside down, or about the whole world. */
export function priorRegion(box: Bbox | null, by: PriorRegion['by']): PriorRegion | null {
  if (!box?.every(Number.isFinite) || box[1] > box[3]) return null;
  const across = lonSpan(box) * Math.cos((Math.min(89, Math.abs(box[1] + box[3]) / 2) * Math.PI) / 180);
  const width = Math.max(MIN_WIDTH, latSpan(box), across);
  return width > 60 ? null : { box, by, width };
}

/** Degrees from the places, taken as one box, to the region with its slack; 0 where they touch. */
export function degreesFromRegion(region: PriorRegion, places: readonly LonLat[]): number {
  const around = boxAround(places);
  if (!around) return Infinity;
  if (boxesTouch(region.box, around, SLACK)) return 0;
  return Math.max(0, Math.min(...places.map((place) => degreesFrom(region.box, place))) - SLACK);
}

/** Share of the places inside the region, but for what a shift of datum may do. */
export function shareInRegion(region: PriorRegion, places: readonly LonLat[]): number {
  return places.filter((place) => degreesFrom(region.box, place) <= DATUM_SHIFT).length / Math.max(1, places.length);
}

/** 1 inside, 0.8 and more where they come within the slack, and half of it for each width that they lie away. */
export function fitOfRegion(region: PriorRegion, places: readonly LonLat[]): number {
  const away = degreesFromRegion(region, places);
  return away === 0 ? 0.8 + 0.2 * shareInRegion(region, places) : 0.8 * 2 ** (-away / region.width);
}
