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
  const [dx, dy] = [bx - ax, by - ay];
  let [from, to] = [0, 1];
  // the side that cuts each end: there the coordinate is the side's, which the sum of two huge numbers would miss
  let start: Side | null = null;
  let end: Side | null = null;
  const sides: Side[] = [
    { p: -dx, q: ax - box.x0, x: box.x0 },
    { p: dx, q: box.x1 - ax, x: box.x1 },
    { p: -dy, q: ay - box.y0, y: box.y0 },
    { p: dy, q: box.y1 - ay, y: box.y1 },
  ];
  for (const side of sides) {
    if (side.p === 0) {
      if (side.q < 0) return null;
      continue;
    }
    const t = side.q / side.p;
    if (side.p < 0 && t > from) [from, start] = [t, side];
    if (side.p > 0 && t < to) [to, end] = [t, side];
  }
  if (!(from <= to)) return null;
  return [
    start ? (start.x ?? ax + from * dx) : ax,
    start ? (start.y ?? ay + from * dy) : ay,
    end ? (end.x ?? ax + to * dx) : bx,
    end ? (end.y ?? ay + to * dy) : by,
  ];
}

type Side = { p: number; q: number; x?: number; y?: number };

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
