/** Longitude and latitude in degrees. */
export type LonLat = readonly [lon: number, lat: number];

/** Mean radius of the Earth; a sphere is right within 0.6 %, which is enough to say how far off something lies. */
export const EARTH_RADIUS_M = 6_371_008.8;
/** Of a great circle. */
export const METRES_PER_DEGREE = (EARTH_RADIUS_M * Math.PI) / 180;
const RADIANS = Math.PI / 180;

/** Metres along the great circle. */
export function metresBetween(a: LonLat, b: LonLat): number {
  const up = Math.sin(((b[1] - a[1]) * RADIANS) / 2);
  const across = Math.sin(((b[0] - a[0]) * RADIANS) / 2);
  const h = up * up + Math.cos(a[1] * RADIANS) * Math.cos(b[1] * RADIANS) * across * across;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The initial bearing from `a` to `b`: degrees clockwise from north, in [0, 360). */
export function bearingTo(a: LonLat, b: LonLat): number {
  const across = (b[0] - a[0]) * RADIANS;
  const y = Math.sin(across) * Math.cos(b[1] * RADIANS);
  const x =
    Math.cos(a[1] * RADIANS) * Math.sin(b[1] * RADIANS) -
    Math.sin(a[1] * RADIANS) * Math.cos(b[1] * RADIANS) * Math.cos(across);
  return turned(Math.atan2(y, x) / RADIANS);
}

/** An angle in [0, 360). */
export const turned = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** A longitude in [−180, 180), also of numbers so great that they hold no whole turns (1e18 from a cylindrical projection). */
export function wrapLon(lon: number): number {
  const wrapped = lon - 360 * Math.floor((lon + 180) / 360);
  return Math.abs(wrapped) <= 180 ? wrapped : turned(lon + 180) - 180;
}

/** A longitude in [−180, 180]: both edges of the map, and what lies between them, stay as they are. */
export const lonOnMap = (lon: number): number => (lon >= -180 && lon <= 180 ? lon : wrapLon(lon));
