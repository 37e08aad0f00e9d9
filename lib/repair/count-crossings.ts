import type { Segments } from './segments';

/** Pairs of edges that are looked at before counting is given up: 0.2 s. */
const MOST_PAIRS = 3e7;

/**
 * How often edges cross or touch, but for neighbours at their common end; stops beyond `most`. Null where even the pairs that
 * lie side by side are too many to look at.
 */
export function countCrossings({ coords, line, count }: Segments, most: number): number | null {
  const axis = widerAxis(coords, count);
  const order = new Uint32Array(count);
  const low = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    order[i] = i;
    low[i] = Math.min(coords[i * 4 + axis] as number, coords[i * 4 + 2 + axis] as number);
  }
  order.sort((a, b) => (low[a] as number) - (low[b] as number));
  let active: number[] = [];
  let crossings = 0;
  let pairs = 0;
  for (const one of order) {
    const from = low[one] as number;
    const still: number[] = [];
    pairs += active.length;
    if (pairs > MOST_PAIRS) return null;
    for (const other of active) {
      if (Math.max(coords[other * 4 + axis] as number, coords[other * 4 + 2 + axis] as number) < from) continue;
      still.push(other);
      if (line[one] === line[other] && Math.abs(one - other) === 1) continue;
      if (meet(coords, one * 4, other * 4) && ++crossings > most) return crossings;
    }
    still.push(one);
    active = still;
  }
  return crossings;
}

/** 0 for x, 1 for y: along the longer side fewer edges lie side by side. */
function widerAxis(coords: Float64Array, count: number): 0 | 1 {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count * 4; i += 2) {
    west = Math.min(west, coords[i] as number);
    east = Math.max(east, coords[i] as number);
    south = Math.min(south, coords[i + 1] as number);
    north = Math.max(north, coords[i + 1] as number);
  }
  return east - west >= north - south ? 0 : 1;
}

/** Whether two edges have a point in common that is not an end of both: a ring's own corners are no crossing. */
function meet(c: Float64Array, a: number, b: number): boolean {
  const [ax, ay, bx, by] = [c[a], c[a + 1], c[a + 2], c[a + 3]] as [number, number, number, number];
  const [px, py, qx, qy] = [c[b], c[b + 1], c[b + 2], c[b + 3]] as [number, number, number, number];
  if (Math.max(ay, by) < Math.min(py, qy) || Math.max(py, qy) < Math.min(ay, by)) return false;
  if (Math.max(ax, bx) < Math.min(px, qx) || Math.max(px, qx) < Math.min(ax, bx)) return false;
  const p = side(ax, ay, bx, by, px, py);
  const q = side(ax, ay, bx, by, qx, qy);
  const s = side(px, py, qx, qy, ax, ay);
  const t = side(px, py, qx, qy, bx, by);
  if (p * q > 0 || s * t > 0) return false;
  const shares_end =
    (ax === px && ay === py) || (ax === qx && ay === qy) || (bx === px && by === py) || (bx === qx && by === qy);
  return !shares_end;
}

/** −1, 0 or 1. A rounding error near 0 costs one crossing more or less of an estimate. */
function side(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  return Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax));
}
