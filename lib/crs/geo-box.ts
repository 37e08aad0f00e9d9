import type { Bbox } from './registry/registry';

/** Longitude and latitude in degrees. */
export type LonLat = [lon: number, lat: number];

/** Mean radius of the Earth; a sphere is right within 0.6 %, which is enough to say how far off something lies. */
const EARTH_M = 6_371_008.8;
export const METRES_PER_DEGREE = (EARTH_M * Math.PI) / 180;
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
  return wrap(b[0] - a[0] + margin) <= span || wrap(a[0] - margin - b[0]) <= lonSpan(b);
}

/** Metres along the great circle. */
export function metresBetween(a: LonLat, b: LonLat): number {
  const up = Math.sin(((b[1] - a[1]) * RADIANS) / 2);
  const across = Math.sin(((b[0] - a[0]) * RADIANS) / 2);
  const h = up * up + Math.cos(a[1] * RADIANS) * Math.cos(b[1] * RADIANS) * across * across;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Degrees from north, clockwise, in which `b` lies from `a`. */
export function bearingTo(a: LonLat, b: LonLat): number {
  const across = (b[0] - a[0]) * RADIANS;
  const y = Math.sin(across) * Math.cos(b[1] * RADIANS);
  const x =
    Math.cos(a[1] * RADIANS) * Math.sin(b[1] * RADIANS) -
    Math.sin(a[1] * RADIANS) * Math.cos(b[1] * RADIANS) * Math.cos(across);
  return wrap(Math.atan2(y, x) / RADIANS);
}

/** The smallest box round places that lie close together; wraps at 180° where that is shorter. Null for none. */
export function boxAround(places: readonly LonLat[]): Bbox | null {
  const first = places[0];
  if (!first) return null;
  let [west, south, east, north] = [0, first[1], 0, first[1]];
  for (const [lon, lat] of places) {
    const away = wrap(lon - first[0] + 180) - 180;
    west = Math.min(west, away);
    east = Math.max(east, away);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return east - west >= 360
    ? [-180, south, 180, north]
    : [plain(first[0] + west), south, plain(first[0] + east), north];
}

/** Longitude in −180…180. */
const plain = (lon: number): number => (lon >= -180 && lon <= 180 ? lon : wrap(lon + 180) - 180);
const wrap = (degrees: number): number => ((degrees % 360) + 360) % 360;
const turn = (a: number, b: number): number => Math.min(wrap(a - b), wrap(b - a));

function isBetween(lon: number, west: number, east: number): boolean {
  if (east - west >= 360) return true;
  return wrap(lon - west) <= (east >= west ? east - west : east - west + 360);
}
