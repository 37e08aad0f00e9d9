import type { EdgeIndex } from './edge-index';
import type { EdgeTable, Run } from './edge-table';
import { lowest } from './same-ring';
import type { Turn } from './turn';
import { isInWedge } from './wedge';
import type { Work } from './work';

/** Rings of fewer edges are looked through whole. */
const MIN_SEARCHED = 64;
/** Vertices of the inner ring that are tried while they lie on an outer ring that is itself broken. */
const MAX_TRIES = 16;

/** Tells whether rings lie inside closed rings, exactly; for rings that do not cross each other. */
export class InsideRing {
  private readonly turns_left = new Map<Run, boolean>();
  private on_edge = -1;

  constructor(
    private readonly table: EdgeTable,
    private readonly index: EdgeIndex,
    private readonly turn: Turn,
    private readonly work: Work,
  ) {}

  /** Null where it cannot be told: the outer ring is broken where the inner one meets it. */
  isInside(inner: Run, outer: Run): boolean | null {
    const end = Math.min(inner.end - 1, inner.start + MAX_TRIES);
    for (let node = inner.start; node < end; node++) {
      const inside = this.holds(outer, node);
      if (inside !== null) return inside;
      if (!outer.is_tangled) return this.leadsInside(outer, node);
    }
    return null;
  }

  /** Whether a node lies inside the ring, or null where it lies on it. */
  holds(outer: Run, node: number): boolean | null {
    const [x, y] = this.table.at(node);
    if (x < outer.min_x || x > outer.max_x || y < outer.min_y || y > outer.max_y) return false;
    // The ray goes the shorter way out.
    const to_right = outer.max_x - x < x - outer.min_x;
    let is_odd = false;
    this.on_edge = -1;
    const count = (first: number, end: number) => {
      this.work.spend(end - first);
      for (let edge = first; edge < end; edge++) if (this.meetsRay(edge, x, y, to_right)) is_odd = !is_odd;
    };
    if (outer.end - outer.start < MIN_SEARCHED) count(outer.start, outer.end - 1);
    else
      this.index.search(to_right ? x : outer.min_x, y, to_right ? outer.max_x : x, y, (chunk) => {
        this.work.spend(2);
        if (this.index.runs[chunk] === outer) count(this.index.first[chunk] as number, this.index.end[chunk] as number);
      });
    return this.on_edge >= 0 ? null : is_odd;
  }

  private meetsRay(edge: number, x: number, y: number, to_right: boolean): boolean {
    const { xs, ys } = this.table;
    const ax = xs[edge] as number;
    const ay = ys[edge] as number;
    const bx = xs[edge + 1] as number;
    const by = ys[edge + 1] as number;
    if (ay > y === by > y) {
      if (ay !== y && by !== y) return false;
      const is_end = (ax === x && ay === y) || (bx === x && by === y);
      if (is_end || (ay === by && ax > x !== bx > x)) this.on_edge = edge;
      return false;
    }
    const side = this.turn(ax, ay, bx, by, x, y);
    if (side === 0) {
      this.on_edge = edge;
      return false;
    }
    return (side > 0 === by > ay) === to_right;
  }

  /** Whether the edge from a node on the outer ring goes inside it. */
  private leadsInside(outer: Run, node: number): boolean {
    const { table } = this;
    const at = table.at(node);
    let edge = this.on_edge;
    if (at[0] === table.xs[edge + 1] && at[1] === table.ys[edge + 1])
      edge = edge + 1 === outer.end - 1 ? outer.start : edge + 1;
    const is_vertex = at[0] === table.xs[edge] && at[1] === table.ys[edge];
    const from = table.at(is_vertex ? table.before(outer, edge) : edge);
    const to = table.at(edge + 1);
    const ahead = table.at(node + 1);
    return this.isTurningLeft(outer)
      ? isInWedge(this.turn, at, to, from, ahead)
      : isInWedge(this.turn, at, from, to, ahead);
  }

  private isTurningLeft(run: Run): boolean {
    let turns_left = this.turns_left.get(run);
    if (turns_left === undefined) {
      const { table } = this;
      const corner = run.start + lowest(table, run, run.end - run.start - 1);
      const before = table.at(table.before(run, corner));
      turns_left = this.turn(...before, ...table.at(corner), ...table.at(corner + 1)) > 0;
      this.turns_left.set(run, turns_left);
    }
    return turns_left;
  }
}
