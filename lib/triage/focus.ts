import { GRID_ZOOM } from '@/db/queries/count-by-grid';

type Bbox = [west: number, south: number, east: number, north: number];

const SIDE = 2 ** GRID_ZOOM;
/** The middle share of the positions, on each axis, that a first look at the map should hold. */
const SHARE = 0.95;
/**
 * A map is wider than high, and shows no more than about a third of the world's height however far out it is. Of a box
 * that is higher it would show the middle: between parcels at 45° N and those that landed on the pole, an empty ocean.
 */
const MOST_ROWS = SIDE / 4;

/**
 * [west, south, east, north] of where most of the positions lie: a few far ones must not shrink the rest to a speck,
 * and where a map cannot hold them all from north to south, those of the fullest band count alone.
 * Cut to the `extent` of all of them, which is finer than the grid. Null without positions.
 */
export function focusOf(cells: readonly { cell: number; count: number }[], extent: Bbox | null): Bbox | null {
  const rows = new Float64Array(SIDE);
  for (const { cell, count } of cells) rows[gather(cell >> 1)]! += count;
  const all = middle(rows);
  if (!all) return null;
  const y = all[1] - all[0] < MOST_ROWS ? all : fullestBand(rows);
  const columns = new Float64Array(SIDE);
  for (const { cell, count } of cells) {
    const row = gather(cell >> 1);
    if (row >= y[0] && row <= y[1]) columns[gather(cell)]! += count;
  }
  const x = middle(columns);
  if (!x) return null;
  const box: Bbox = [longitude(x[0]), latitude(y[1] + 1), longitude(x[1] + 1), latitude(y[0])];
  // west > east: the extent crosses 180° and the grid's box cannot be cut with it
  if (!extent || extent[0] > extent[2]) return box;
  return [
    Math.max(box[0], extent[0]),
    Math.max(box[1], extent[1]),
    Math.min(box[2], extent[2]),
    Math.min(box[3], extent[3]),
  ];
}

/** First and last index of the middle SHARE of a histogram's weight, or null where there is none. */
function middle(counts: Float64Array): [number, number] | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const cut = (total * (1 - SHARE)) / 2;
  const from = firstBeyond(counts, cut);
  const to = SIDE - 1 - firstBeyond(counts.slice().reverse(), cut);
  return [from, to];
}

/** First and last row of the MOST_ROWS that hold the most, without the few at their edges. */
function fullestBand(rows: Float64Array): [number, number] {
  const held = (from: number) => rows.subarray(from, from + MOST_ROWS).reduce((sum, count) => sum + count, 0);
  let from = 0;
  for (let next = 1; next <= SIDE - MOST_ROWS; next += 1) if (held(next) > held(from)) from = next;
  return middle(rows.map((count, row) => (row >= from && row < from + MOST_ROWS ? count : 0))) ?? [from, from];
}

function firstBeyond(counts: Float64Array, cut: number): number {
  let sum = 0;
  return counts.findIndex((count) => {
    sum += count;
    return sum > cut;
  });
}

/** Every second bit of a z-order number. */
function gather(cell: number): number {
  let value = 0;
  for (let bit = 0; bit < GRID_ZOOM; bit += 1) value |= ((cell >> (2 * bit)) & 1) << bit;
  return value;
}

const longitude = (column: number) => (column / SIDE) * 360 - 180;
const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / SIDE))) * 180) / Math.PI;
