import type { WkbReading } from '@/lib/wkb/reading';
import { type Segments, segmentsOf } from './segments';

/** Distances that are computed at most, 3 ns each. */
const MOST_DISTANCES = 2e8;

/**
 * How far a vertex of either geometry lies from the lines of the other at most (the discrete Hausdorff distance, as
 * ST_HausdorffDistance has it), in source units. Only vertices that the other does not have need a look. Null where they are
 * too many.
 */
export function hausdorff(one: WkbReading, other: WkbReading): number | null {
  const [a, b] = [segmentsOf(one, false), segmentsOf(other, false)];
  const [from_a, from_b] = [ownVertices(a, b), ownVertices(b, a)];
  if (a.count === 0 || b.count === 0) return null;
  if ((from_a.length / 2) * b.count + (from_b.length / 2) * a.count > MOST_DISTANCES) return null;
  return Math.max(furthest(from_a, b), furthest(from_b, a));
}

/** The vertices, flat x, y, that `other` does not have. */
function ownVertices(of: Segments, other: Segments): number[] {
  const there = new Map<number, Set<number>>();
  for (let i = 0; i < other.count * 4; i += 2) {
    const x = other.coords[i] as number;
    const ys = there.get(x);
    if (ys) ys.add(other.coords[i + 1] as number);
    else there.set(x, new Set([other.coords[i + 1] as number]));
  }
  const own: number[] = [];
  for (let i = 0; i < of.count * 4; i += 2) {
    const [x, y] = [of.coords[i] as number, of.coords[i + 1] as number];
    if (!there.get(x)?.has(y)) own.push(x, y);
  }
  return own;
}

function furthest(vertices: readonly number[], { coords, count }: Segments): number {
  let most = 0;
  for (let v = 0; v < vertices.length; v += 2) {
    const [x, y] = [vertices[v] as number, vertices[v + 1] as number];
    let least = Infinity;
    for (let i = 0; i < count && least > most; i++) least = Math.min(least, squareTo(coords, i * 4, x, y));
    most = Math.max(most, least);
  }
  return Math.sqrt(most);
}

/** Square of the distance from a place to an edge. */
function squareTo(c: Float64Array, i: number, x: number, y: number): number {
  const [ax, ay] = [c[i] as number, c[i + 1] as number];
  const [dx, dy] = [(c[i + 2] as number) - ax, (c[i + 3] as number) - ay];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square));
  const [ex, ey] = [x - ax - t * dx, y - ay - t * dy];
  return ex * ex + ey * ey;
}
