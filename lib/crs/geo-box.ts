import type { Bbox } from './registry/registry';
import { type LonLat, lonOnMap, turned, wrapLon } from './sphere';

const RADIANS = Math.PI / 180;

/** Degrees from west to east, over 180° where the box crosses it. */
export const lonSpan = ([west, , east]: Bbox): number => (east >= west ? east - west : east - west + 360);
export const latSpan = ([, south, , north]: Bbox): number => north - south;

/** Area in square degrees of the equator's size. */
export function boxArea(box: Bbox): number {
  const [, south, , north] = box;
  return lonSpan(box) * Math.max(0, north - south) * Math.max(0.05, Math.cos(((south + north) / 2) * RADIANS));
}

/** The point of the box nearest to a place, by longitude and latitude apart. */
export function nearestIn(box: Bbox, [lon, lat]: LonLat): LonLat {
  const [west, south, east, north] = box;
  return [
    isBetween(lon, west, east) ? lon : turn(lon, west) <= turn(lon, east) ? west : east,
    Math.min(north, Math.max(south, lat)),
  ];
}

/** Degrees of a great circle (near enough) from a place to the nearest point of the box, 0 inside. */
export function degreesFrom(box: Bbox, place: LonLat): number {
  const [west, south, east, north] = box;
  const up = Math.max(south - place[1], place[1] - north, 0);
  if (isBetween(place[0], west, east)) return up;
  const across = Math.min(turn(place[0], west), turn(place[0], east));
  const nearest = Math.min(Math.abs(place[1]), Math.max(Math.abs(south), Math.abs(north)));
  return Math.hypot(across * Math.cos(Math.min(89, nearest) * RADIANS), up);
}

/** Whether two boxes touch when one is grown by `margin` degrees on each side. */
export function boxesTouch(a: Bbox, b: Bbox, margin: number): boolean {
  if (a[1] - margin > b[3] || b[1] - margin > a[3]) return false;
  const span = lonSpan(a) + 2 * margin;
  if (span >= 360) return true;
  return turned(b[0] - a[0] + margin) <= span || turned(a[0] - margin - b[0]) <= lonSpan(b);
}

/** The smallest box round places that lie close together; wraps at 180° where that is shorter. Null for none. */
export function boxAround(places: readonly LonLat[]): Bbox | null {
  const first = places[0];
  if (!first) return null;
  let [west, south, east, north] = [0, first[1], 0, first[1]];
  for (const [lon, lat] of places) {
    const away = wrapLon(lon - first[0]);
    west = Math.min(west, away);
    east = Math.max(east, away);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return east - west >= 360
    ? [-180, south, 180, north]
    : [lonOnMap(first[0] + west), south, lonOnMap(first[0] + east), north];
}

const turn = (a: number, b: number): number => Math.min(turned(a - b), turned(b - a));

function isBetween(lon: number, west: number, east: number): boolean {
  if (east - west >= 360) return true;
  return turned(lon - west) <= (east >= west ? east - west : east - west + 360);
}
