import { EARTH_RADIUS_M, type LonLat } from './sphere';
import { fromWorld, toWorld } from './web-mercator';

const HALF_BITS = 2 ** 26;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The centre of a z-order cell (26 bits each of x and y, as `dlq.cell_of` makes them; below 2^52, so exact as a number). */
export function placeOfCell(cell: number): LonLat {
  const high = Math.floor(cell / HALF_BITS);
  const low = cell % HALF_BITS;
  const x = gather(high) * 8192 + gather(low);
  const y = gather(high >> 1) * 8192 + gather(low >> 1);
  return fromWorld((x + 0.5) / HALF_BITS, (y + 0.5) / HALF_BITS);
}

/** Whether a place lies in the tile of zoom `z` with that centre, its edges included. */
export function liesInTile(place: LonLat, centre: LonLat, z: number): boolean {
  const half = 0.5 / 2 ** z + 1e-9;
  return (
    Math.abs(lonBetween(place[0], centre[0])) / 360 <= half && Math.abs(toWorld(place)[1] - toWorld(centre)[1]) <= half
  );
}

/** From `from` to `to` the short way round, in (−180, 180]. */
export function lonBetween(from: number, to: number): number {
  const turned = (((to - from) % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/** Side of a tile on the ground, in metres. */
export function tileSideM(z: number, lat: number): number {
  return (2 * Math.PI * EARTH_RADIUS_M * Math.cos(radians(lat))) / 2 ** z;
}

/** Metres of EPSG:3857, without its false wrap: y is cut off at the edges. */
export function toMercatorM(place: LonLat): [number, number] {
  const around = 2 * Math.PI * 6_378_137;
  const [x, y] = toWorld(place);
  return [(x - 0.5) * around, (0.5 - y) * around];
}

/** The 13 even bits of a 26-bit number. */
function gather(value: number): number {
  let v = value & 0x1555555;
  v = (v | (v >> 1)) & 0x3333333;
  v = (v | (v >> 2)) & 0x0f0f0f0f;
  v = (v | (v >> 4)) & 0x00ff00ff;
  return (v | (v >> 8)) & 0xffff;
}
