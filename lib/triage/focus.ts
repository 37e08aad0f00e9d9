import { GRID_ZOOM } from '@/db/queries/count-by-grid';

type Bbox = [west: number, south: number, east: number, north: number];

const SIDE = 2 ** GRID_ZOOM;
/** The share of the positions, on each axis, that a first look at the map should hold. */
const SHARE = 0.8;
/**
 * A map is wider than high, and shows no more than about a third of the world's height however far out it is. Of a box
 * that is higher it would show the middle: between parcels at 45° N and those that landed on the pole, an empty ocean.
 */
const MOST_ROWS = SIDE / 4;

/**
 * [west, south, east, north] of where most of the positions lie: the shortest stretch of each axis that holds SHARE of
 * them, so that a few far ones do not shrink the rest to a speck; where a map cannot hold them from north to south,
 * those of the fullest band of rows count alone. West > east crosses 180°. Cut to the `extent` of all of them, which is
 * finer than the grid. Null without positions.
 */
export function focusOf(cells: readonly { cell: number; count: number }[], extent: Bbox | null): Bbox | null {
  const rows = new Float64Array(SIDE);
  for (const { cell, count } of cells) rows[gather(cell >> 1)]! += count;
  const all = shortest(rows, false);
  if (!all) return null;
  const y = all[1] - all[0] < MOST_ROWS ? all : fullestBand(rows);
  const columns = new Float64Array(SIDE);
  for (const { cell, count } of cells) {
    const row = gather(cell >> 1);
    if (row >= y[0] && row <= y[1]) columns[gather(cell)]! += count;
  }
  const x = shortest(columns, true);
  if (!x) return null;
  const [west, east] = [longitude(x[0]), longitude(x[1] + 1)];
  const box: Bbox = [west, latitude(y[1] + 1), east > 180 ? east - 360 : east, latitude(y[0])];
  // over 180° the two cannot be cut by comparing
  if (!extent || extent[0] > extent[2] || box[0] > box[2]) return box;
  return [
    Math.max(box[0], extent[0]),
    Math.max(box[1], extent[1]),
    Math.min(box[2], extent[2]),
    Math.min(box[3], extent[3]),
  ];
}

/** First and last index of the shortest run that holds SHARE of the weight; the last may pass the end where it goes `round`. */
function shortest(counts: Float64Array, round: boolean): [number, number] | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const end = round ? 2 * SIDE : SIDE;
  let best: [number, number] | null = null;
  let sum = 0;
  let last = -1;
  for (let first = 0; first < SIDE; first += 1) {
    while (sum < SHARE * total && last + 1 < end) {
      last += 1;
      sum += counts[last % SIDE]!;
    }
    if (sum < SHARE * total) break;
    if (!best || last - first < best[1] - best[0]) best = [first, last];
    sum -= counts[first]!;
  }
  return best;
}

/** First and last row of the MOST_ROWS that hold the most, without the few at their edges. */
function fullestBand(rows: Float64Array): [number, number] {
  const held = (from: number) => rows.subarray(from, from + MOST_ROWS).reduce((sum, count) => sum + count, 0);
  let from = 0;
  for (let next = 1; next <= SIDE - MOST_ROWS; next += 1) if (held(next) > held(from)) from = next;
  return (
    shortest(
      rows.map((count, row) => (row >= from && row < from + MOST_ROWS ? count : 0)),
      false,
    ) ?? [from, from]
  );
}

/** Every second bit of a z-order number. */
function gather(cell: number): number {
  let value = 0;
  for (let bit = 0; bit < GRID_ZOOM; bit += 1) value |= ((cell >> (2 * bit)) & 1) << bit;
  return value;
}

const longitude = (column: number) => (column / SIDE) * 360 - 180;
const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / SIDE))) * 180) / Math.PI;
