/** Longitude, latitude in degrees. */
export type LonLat = readonly [number, number];
/** [west, south, east, north] in degrees; west > east crosses 180°. */
export type Bbox = readonly [number, number, number, number];
export type TileAddress = { z: number; x: number; y: number };

const EARTH_RADIUS_M = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (value: number) => (value * 180) / Math.PI;

/** Latitude of Web Mercator's edge. */
export const MAX_LAT = 85.051128779806604;

/** World square of Web Mercator: 0,0 north-west, 1,1 south-east; y is cut off at the edges. */
export function toWorld([lon, lat]: LonLat): [number, number] {
  const clamped = Math.max(-MAX_LAT, Math.min(MAX_LAT, lat));
  return [(lon + 180) / 360, 0.5 - Math.asinh(Math.tan(radians(clamped))) / (2 * Math.PI)];
}

export function fromWorld(x: number, y: number): [number, number] {
  return [x * 360 - 180, degrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))))];
}

/** Bounds of a Web Mercator tile. */
export function tileBbox({ z, x, y }: TileAddress): [number, number, number, number] {
  const n = 2 ** z;
  const [west, north] = fromWorld(x / n, y / n);
  const [east, south] = fromWorld((x + 1) / n, (y + 1) / n);
  return [west, south, east, north];
}

/** Middle of the tile on the map (in Mercator, so that boxes and arrows meet there). */
export function tileCentre({ z, x, y }: TileAddress): [number, number] {
  const n = 2 ** z;
  return fromWorld((x + 0.5) / n, (y + 0.5) / n);
}

/** `z/x/y` as the tiles write a cell, or null where it is no tile's address. */
export function parseTile(text: string): TileAddress | null {
  const match = /^(\d{1,2})\/(\d+)\/(\d+)$/.exec(text);
  if (!match) return null;
  const [z, x, y] = match.slice(1).map(Number) as [number, number, number];
  return z <= 30 && x < 2 ** z && y < 2 ** z ? { z, x, y } : null;
}

/** Great-circle distance in metres on a sphere: within 0.6 % of the ellipsoid, enough for a label. */
export function distanceM(a: LonLat, b: LonLat): number {
  const dLat = radians(b[1] - a[1]);
  const dLon = radians(b[0] - a[0]);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a[1])) * Math.cos(radians(b[1])) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

const COMPASS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const;

/** The one of eight directions in which `b` lies from `a`, by the initial bearing. */
export function compass(a: LonLat, b: LonLat): (typeof COMPASS)[number] {
  const dLon = radians(b[0] - a[0]);
  const y = Math.sin(dLon) * Math.cos(radians(b[1]));
  const x =
    Math.cos(radians(a[1])) * Math.sin(radians(b[1])) -
    Math.sin(radians(a[1])) * Math.cos(radians(b[1])) * Math.cos(dLon);
  return COMPASS[(Math.round(degrees(Math.atan2(y, x)) / 45) + 8) % 8]!;
}

/** The longitude equal to `lon` (mod 360) nearest to `reference`. */
export function nearestLon(lon: number, reference: number): number {
  return lon + 360 * Math.round((reference - lon) / 360);
}

/** A longitude in [-180, 180). */
export function wrapLon(lon: number): number {
  return lon - 360 * Math.floor((lon + 180) / 360);
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

/** `1,579 km`, `9.6 km`, `340 m`. */
export function distanceText(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  const km = metres / 1000;
  return `${km < 10 ? km.toFixed(1) : Math.round(km).toLocaleString('en-GB')} km`;
}

/** The longest bar of 1, 2, 3 or 5 times a power of ten that fits in `maxPx` at this latitude and zoom (512 px tiles). */
export function scaleBar(lat: number, zoom: number, maxPx: number): { metres: number; px: number } {
  const metresPerPx = (2 * Math.PI * 6_378_137 * Math.cos(radians(lat))) / (512 * 2 ** zoom);
  const most = metresPerPx * maxPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 3, 2].find((factor) => factor * power <= most) ?? 1);
  return { metres, px: metres / metresPerPx };
}
