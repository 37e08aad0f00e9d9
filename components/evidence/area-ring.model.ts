import type { Box, Size, View } from './view.model';
import { shownBox } from './view.model';

/** A closed or unclosed outline in source units. */
export type Ring = readonly (readonly [number, number])[];

/** Whether a place lies inside the outline, by the even-odd rule. */
export function ringHolds(ring: Ring, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i] as readonly [number, number];
    const [bx, by] = ring[j] as readonly [number, number];
    // halved, so that the difference of two huge doubles of opposite sign stays one
    if (ay > y !== by > y && x / 2 < ((bx / 2 - ax / 2) * (y / 2 - ay / 2)) / (by / 2 - ay / 2) + ax / 2)
      inside = !inside;
  }
  return inside;
}

/** The place on the outline nearest to another. */
export function nearestOnRing(ring: Ring, x: number, y: number): [number, number] | null {
  let best = Infinity;
  let found: [number, number] | null = null;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[j] as readonly [number, number];
    const [bx, by] = ring[i] as readonly [number, number];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const along = length > 0 ? ((x - ax) * dx + (y - ay) * dy) / length : 0;
    const t = Math.min(1, Math.max(0, along));
    const [px, py] = [ax + t * dx, ay + t * dy];
    const distance = Math.hypot(px - x, py - y);
    if (!(distance < best)) continue;
    best = distance;
    found = [px, py];
  }
  return found;
}

/** Of a ring's places; null where it has none that is finite. */
export function ringBox(ring: Ring): Box | null {
  let [minx, miny, maxx, maxy] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    minx = Math.min(minx, x);
    miny = Math.min(miny, y);
    maxx = Math.max(maxx, x);
    maxy = Math.max(maxy, y);
  }
  return minx <= maxx ? [minx, miny, maxx, maxy] : null;
}

/** Whether two boxes share a place. */
export const boxesMeet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** The smallest box around both. */
export const boxAround = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** Whether any part of the outline passes through the pane, or the pane lies inside it: then no arrow need point there. */
export function ringIsSeen(ring: Ring, view: View, size: Size): boolean {
  if (ringHolds(ring, view.cx, view.cy)) return true;
  const shown = shownBox(view, size);
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    if (segmentMeetsBox(ring[j] as readonly [number, number], ring[i] as readonly [number, number], shown)) return true;
  return false;
}

function segmentMeetsBox([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], box: Box): boolean {
  let [from, to] = [0, 1];
  for (const [a, b, low, high] of [
    [ax, bx, box[0], box[2]],
    [ay, by, box[1], box[3]],
  ] as const) {
    const d = b - a;
    if (d === 0) {
      if (a < low || a > high) return false;
      continue;
    }
    const [t0, t1] = [(low - a) / d, (high - a) / d];
    from = Math.max(from, Math.min(t0, t1));
    to = Math.min(to, Math.max(t0, t1));
  }
  return from <= to;
}
