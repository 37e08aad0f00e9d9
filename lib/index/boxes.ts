import { lonOnMap } from '../crs/sphere';
import { HALF } from './block';
import { cellAt, columnsBetween, rowsBetween } from './z-order';

/** The bits of each half of a cell that are x's and y's. */
export const X_HALF = 0x1555555;
export const Y_HALF = 0x2aaaaaa;

/** Bounds of a cell's x bits and y bits, as numbers that compare like x and y; and of the cells between. */
export interface Box {
  west: number;
  east: number;
  north: number;
  south: number;
  first: number;
  last: number;
}

/** The x bits of a cell's halves: they compare like x. */
export const xOf = (hi: number, lo: number): number => (hi & X_HALF) * HALF + (lo & X_HALF);
export const yOf = (hi: number, lo: number): number => (hi & Y_HALF) * HALF + (lo & Y_HALF);

/**
 * The boxes of a bbox [west, south, east, north] in degrees: none where no cell's centre lies in it, two where it crosses
 * 180°. Longitudes of a map that was turned around the world (east = 190) are brought back first.
 */
export function boxesOf(bbox: readonly [number, number, number, number]): Box[] {
  const [west, south, east, north] = bbox;
  if (east - west >= 360) return box(-180, south, 180, north);
  const from = lonOnMap(west);
  const to = lonOnMap(east);
  if (from <= to) return box(from, south, to, north);
  return [...box(from, south, 180, north), ...box(-180, south, to, north)];
}

export function isInBoxes(boxes: readonly Box[], hi: number, lo: number): boolean {
  const x = xOf(hi, lo);
  const y = yOf(hi, lo);
  for (const { west, east, north, south } of boxes) if (x >= west && x <= east && y >= north && y <= south) return true;
  return false;
}

/** Whether all cells of the range [first, end) lie in the boxes; “no” can also mean that it was not seen. */
export function holdsRange(boxes: readonly Box[], first: number, end: number): boolean {
  for (let from = first; from < end; ) {
    // the largest aligned square that begins here and does not reach behind the end
    let size = 1;
    while (from % (size * 4) === 0 && from + size * 4 <= end) size *= 4;
    const square = squareOfCorners(from, from + size - 1);
    const held = boxes.some(
      ({ west, east, north, south }) =>
        square.west >= west && square.east <= east && square.north >= north && square.south <= south,
    );
    if (!held) return false;
    from += size;
  }
  return true;
}

/** The bounds of the smallest square of the z-order (or half of one) that holds both cells. */
export function squareOf(first: number, last: number): Pick<Box, 'west' | 'east' | 'north' | 'south'> {
  let free = 1;
  while (Math.floor(first / free) !== Math.floor(last / free)) free *= 2;
  const from = Math.floor(first / free) * free;
  const to = from + free - 1;
  const [from_hi, from_lo, to_hi, to_lo] = [Math.floor(from / HALF), from % HALF, Math.floor(to / HALF), to % HALF];
  return {
    west: xOf(from_hi, from_lo),
    east: xOf(to_hi, to_lo),
    north: yOf(from_hi, from_lo),
    south: yOf(to_hi, to_lo),
  };
}

function box(west: number, south: number, east: number, north: number): Box[] {
  const [x0, x1] = columnsBetween(west, east);
  const [y0, y1] = rowsBetween(south, north);
  if (x0 > x1 || y0 > y1) return [];
  const first = Number(cellAt(x0, y0));
  const last = Number(cellAt(x1, y1));
  return [{ ...squareOfCorners(first, last), first, last }];
}

function squareOfCorners(first: number, last: number) {
  return {
    west: xOf(Math.floor(first / HALF), first % HALF),
    east: xOf(Math.floor(last / HALF), last % HALF),
    north: yOf(Math.floor(first / HALF), first % HALF),
    south: yOf(Math.floor(last / HALF), last % HALF),
  };
}
