import type { EdgeTable } from './edge-table';
import type { Turn } from './turn';

export const APART = 0;
/** They cross inside both. */
export const CROSS = 1;
/** They share a stretch of a line. */
export const OVERLAP = 2;
/** They share one point, an end of at least one of them. */
export const TOUCH = 3;

/** How two edges meet, and where: `x`, `y`, and for an overlap its other end. */
export class Meeting {
  x = 0;
  y = 0;
  to_x = 0;
  to_y = 0;

  constructor(
    private readonly table: EdgeTable,
    private readonly turn: Turn,
  ) {}

  /** Decided by exact predicates alone; only the place of a crossing is rounded. */
  of(s: number, t: number): number {
    const { xs, ys } = this.table;
    const ax = xs[s] as number;
    const ay = ys[s] as number;
    const bx = xs[s + 1] as number;
    const by = ys[s + 1] as number;
    const cx = xs[t] as number;
    const cy = ys[t] as number;
    const dx = xs[t + 1] as number;
    const dy = ys[t + 1] as number;
    const c = this.turn(ax, ay, bx, by, cx, cy);
    const d = this.turn(ax, ay, bx, by, dx, dy);
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return APART;
    const a = this.turn(cx, cy, dx, dy, ax, ay);
    const b = this.turn(cx, cy, dx, dy, bx, by);
    if ((a > 0 && b > 0) || (a < 0 && b < 0)) return APART;
    if (c === 0 && d === 0) return this.onOneLine(ax, ay, bx, by, cx, cy, dx, dy);
    if (c === 0) return this.touch(cx, cy);
    if (d === 0) return this.touch(dx, dy);
    if (a === 0) return this.touch(ax, ay);
    if (b === 0) return this.touch(bx, by);
    // a and b differ in sign, so nothing cancels.
    const share = a / (a - b);
    this.x = between(ax + share * (bx - ax), ax, bx, cx, dx);
    this.y = between(ay + share * (by - ay), ay, by, cy, dy);
    return CROSS;
  }

  private touch(x: number, y: number): number {
    this.x = x;
    this.y = y;
    return TOUCH;
  }

  /** Along the longer axis the order of the four ends is that on the line. */
  private onOneLine(
    ax: number,
    ay: number,
    bx: number,
    by: number,
    cx: number,
    cy: number,
    dx: number,
    dy: number,
  ): number {
    const by_x = Math.abs(bx - ax) >= Math.abs(by - ay);
    const s_rises = by_x ? ax <= bx : ay <= by;
    const t_rises = by_x ? cx <= dx : cy <= dy;
    const [s0x, s0y, s1x, s1y] = s_rises ? [ax, ay, bx, by] : [bx, by, ax, ay];
    const [t0x, t0y, t1x, t1y] = t_rises ? [cx, cy, dx, dy] : [dx, dy, cx, cy];
    const [from_x, from_y] = (by_x ? s0x >= t0x : s0y >= t0y) ? [s0x, s0y] : [t0x, t0y];
    const [to_x, to_y] = (by_x ? s1x <= t1x : s1y <= t1y) ? [s1x, s1y] : [t1x, t1y];
    if (by_x ? from_x > to_x : from_y > to_y) return APART;
    this.x = from_x;
    this.y = from_y;
    this.to_x = to_x;
    this.to_y = to_y;
    return from_x === to_x && from_y === to_y ? TOUCH : OVERLAP;
  }
}

/** `value`, or the nearest that both edges reach; the middle where it overflowed. */
function between(value: number, a: number, b: number, c: number, d: number): number {
  const low = Math.max(Math.min(a, b), Math.min(c, d));
  const high = Math.min(Math.max(a, b), Math.max(c, d));
  if (!Number.isFinite(value)) return low / 2 + high / 2;
  return Math.min(Math.max(value, low), high);
}
