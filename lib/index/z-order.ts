/**
 * Positions as z-order cells, as `dlq.cell_of` makes them: 26 bits each of x and y of web mercator, interleaved, x in
 * the even bits. A tile is one contiguous range, and `cell & X_BITS` orders cells by x without taking them apart.
 */
export const CELL_BITS = 26;
export const X_BITS = 0x5555555555555n;
export const Y_BITS = 0xaaaaaaaaaaaaan;

const CELLS = 2 ** CELL_BITS;
const LAST = CELLS - 1;
/** Where web mercator ends, degrees. */
const MAX_LATITUDE = 85.05112877980659;

/** The interleaved cell of column x and row y, each in 0 … 2^26 − 1. */
export function cellAt(x: number, y: number): bigint {
  return spread(x) | (spread(y) << 1n);
}

/** Columns whose centre lies in [west, east], degrees within ±180. Empty (first > last) where there is none. */
export function columnsBetween(west: number, east: number): [first: number, last: number] {
  return centresBetween(((west + 180) / 360) * CELLS, ((east + 180) / 360) * CELLS);
}

/** Rows whose centre lies in [south, north], degrees. Row 0 is the northernmost. */
export function rowsBetween(south: number, north: number): [first: number, last: number] {
  return centresBetween(mercatorRow(north), mercatorRow(south));
}

/** A cell's centre read back as an edge must still hold that cell: the tolerance is a millionth of a cell (0.6 µm). */
function centresBetween(from: number, to: number): [number, number] {
  return [Math.max(0, Math.ceil(from - 0.5 - 1e-6)), Math.min(LAST, Math.floor(to - 0.5 + 1e-6))];
}

function mercatorRow(lat: number): number {
  if (lat >= MAX_LATITUDE) return 0;
  if (lat <= -MAX_LATITUDE) return CELLS;
  return (0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)) * CELLS;
}

/** Every second bit of a number of 32 bits, from the lowest: x of a cell, and y of the cell without its lowest bit. */
export function evenBits(cell: number): number {
  let v = cell & 0x55555555;
  v = (v | (v >>> 1)) & 0x33333333;
  v = (v | (v >>> 2)) & 0x0f0f0f0f;
  v = (v | (v >>> 4)) & 0x00ff00ff;
  return (v | (v >>> 8)) & 0xffff;
}

function spread(value: number): bigint {
  let v = BigInt(value);
  v = (v | (v << 16n)) & 0x0000ffff0000ffffn;
  v = (v | (v << 8n)) & 0x00ff00ff00ff00ffn;
  v = (v | (v << 4n)) & 0x0f0f0f0f0f0f0f0fn;
  v = (v | (v << 2n)) & 0x3333333333333333n;
  return (v | (v << 1n)) & 0x5555555555555555n;
}
