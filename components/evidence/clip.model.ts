/** Screen coordinates beyond this are clipped by ourselves: a canvas works in float32 and bends what lies far outside. */
export const FAR_PX = 8192;

export type ClipBox = { x0: number; y0: number; x1: number; y1: number };

/** The part of a segment inside the box as [x0, y0, x1, y1], or null. */
export function clipSegment(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  box: ClipBox,
): [number, number, number, number] | null {
  let from = 0;
  let to = 1;
  const [dx, dy] = [bx - ax, by - ay];
  for (const [p, q] of [
    [-dx, ax - box.x0],
    [dx, box.x1 - ax],
    [-dy, ay - box.y0],
    [dy, box.y1 - ay],
  ] as const) {
    if (p === 0) {
      if (q < 0) return null;
      continue;
    }
    const t = q / p;
    if (p < 0) from = Math.max(from, t);
    else to = Math.min(to, t);
    if (!(from <= to)) return null;
  }
  return [ax + from * dx, ay + from * dy, ax + to * dx, ay + to * dy];
}

/** A ring (flat x, y) cut to the box, side by side; the area inside the box is the same under the even-odd rule. */
export function clipRing(ring: readonly number[], { x0, y0, x1, y1 }: ClipBox): number[] {
  let points = ring;
  for (const [axis, bound, sign] of [
    [0, x0, 1],
    [0, x1, -1],
    [1, y0, 1],
    [1, y1, -1],
  ] as const) {
    const out: number[] = [];
    const n = points.length;
    for (let i = 0; i < n; i += 2) {
      const j = (i + n - 2) % n;
      const a: [number, number] = [points[j] as number, points[j + 1] as number];
      const b: [number, number] = [points[i] as number, points[i + 1] as number];
      const inA = (a[axis] - bound) * sign >= 0;
      const inB = (b[axis] - bound) * sign >= 0;
      if (inA !== inB) {
        const t = (bound - a[axis]) / (b[axis] - a[axis]);
        const cut = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        cut[axis] = bound;
        out.push(cut[0] as number, cut[1] as number);
      }
      if (inB) out.push(b[0], b[1]);
    }
    points = out;
  }
  return [...points];
}
