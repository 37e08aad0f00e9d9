/** Longitude, latitude in degrees. */
export type Place = readonly [lon: number, lat: number];

/** Mean radius of the sphere of `distanceM`. */
const EARTH_RADIUS_M = 6_371_008.8;
const HALF_BITS = 2 ** 26;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (value: number) => (value * 180) / Math.PI;

/** Latitude of web mercator's edge: a cell holds nothing beyond it. */
export const EDGE_LATITUDE = 85.05112877980659;

/** The centre of a z-order cell (26 bits each of x and y, as `dlq.cell_of` makes them; below 2^52, so exact as a number). */
export function placeOfCell(cell: number): Place {
  const high = Math.floor(cell / HALF_BITS);
  const low = cell % HALF_BITS;
  const x = gather(high) * 8192 + gather(low);
  const y = gather(high >> 1) * 8192 + gather(low >> 1);
  return fromMercator((x + 0.5) / HALF_BITS, (y + 0.5) / HALF_BITS);
}

/** The middle of a web mercator tile, on the map. */
export function centreOfTile(z: number, x: number, y: number): Place {
  return fromMercator((x + 0.5) / 2 ** z, (y + 0.5) / 2 ** z);
}

/** Whether a place lies in the tile of zoom `z` with that centre, its edges included. */
export function liesInTile(place: Place, centre: Place, z: number): boolean {
  const half = 0.5 / 2 ** z + 1e-9;
  return (
    Math.abs(lonBetween(place[0], centre[0])) / 360 <= half &&
    Math.abs(mercatorY(place[1]) - mercatorY(centre[1])) <= half
  );
}

/** From `from` to `to` the short way round, in (−180, 180]. */
export function lonBetween(from: number, to: number): number {
  const turned = (((to - from) % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/** A longitude in [−180, 180). */
export function wrapLon(lon: number): number {
  return lon - 360 * Math.floor((lon + 180) / 360);
}

/** Great-circle distance in metres on a sphere: within 0.6 % of the ellipsoid. */
export function distanceM(a: Place, b: Place): number {
  const lat = Math.sin(radians(b[1] - a[1]) / 2);
  const lon = Math.sin(radians(b[0] - a[0]) / 2);
  const h = lat ** 2 + Math.cos(radians(a[1])) * Math.cos(radians(b[1])) * lon ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The initial bearing from `a` to `b`, degrees clockwise from north in [0, 360). */
export function bearing(a: Place, b: Place): number {
  const lon = radians(b[0] - a[0]);
  const [from, to] = [radians(a[1]), radians(b[1])];
  const east = Math.sin(lon) * Math.cos(to);
  const north = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(lon);
  return (degrees(Math.atan2(east, north)) + 360) % 360;
}

/** Side of a tile on the ground, in metres. */
export function tileSideM(z: number, lat: number): number {
  return (2 * Math.PI * EARTH_RADIUS_M * Math.cos(radians(lat))) / 2 ** z;
}

/** Metres of EPSG:3857, without its false wrap: y is cut off at the edges. */
export function toMercatorM([lon, lat]: Place): [number, number] {
  const around = 2 * Math.PI * 6_378_137;
  return [(lon / 360) * around, (0.5 - mercatorY(lat)) * around];
}

function mercatorY(lat: number): number {
  const cut = Math.max(-EDGE_LATITUDE, Math.min(EDGE_LATITUDE, lat));
  return 0.5 - Math.asinh(Math.tan(radians(cut))) / (2 * Math.PI);
}

function fromMercator(x: number, y: number): Place {
  return [x * 360 - 180, degrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))))];
}

/** The 13 even bits of a 26-bit number. */
function gather(value: number): number {
  let v = value & 0x1555555;
  v = (v | (v >> 1)) & 0x3333333;
  v = (v | (v >> 2)) & 0x0f0f0f0f;
  v = (v | (v >> 4)) & 0x00ff00ff;
  return (v | (v >> 8)) & 0xffff;
}
