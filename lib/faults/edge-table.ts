import { strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PART_COLUMNS, START } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';

/** A run of nodes: a ring or a line without its repeated vertices. Edge n goes from node n to node n + 1. */
export interface Run {
  row: number;
  /** Row of its polygon (of a line: its own), and which of that polygon's rings it is. */
  polygon: number;
  ring: number;
  /** Nodes from `start` to before `end`; a closed ring's last node lies where its first does. */
  start: number;
  end: number;
  /** Ends where it began: its last edge and its first are neighbours. */
  ends_meet: boolean;
  /** So it does, and every vertex is there and finite: it has an inside. */
  is_closed: boolean;
  has_gap: boolean;
  /** Of the finite nodes; empty (min above max) where there is none. */
  min_x: number;
  min_y: number;
  max_x: number;
  max_y: number;
  /** Every node lies on one line. */
  is_flat: boolean;
  /** It crosses or touches itself. */
  is_tangled: boolean;
  /** It crosses another run. */
  is_crossed: boolean;
  /** It is the same as a run before it. */
  is_copy: boolean;
}

/** Nodes of the runs that are compared with each other. A vertex that is not finite becomes a node NaN: no edge meets it. */
export class EdgeTable {
  xs = new Float64Array(0);
  ys = new Float64Array(0);
  /** Number of the node's vertex in its sequence. */
  vertices = new Int32Array(0);
  node_count = 0;
  runs: Run[] = [];
  /** Of the absolute values of all finite coordinates, without zeros. */
  largest = 0;
  smallest = Infinity;

  constructor(private readonly reading: Pick<WkbReading, 'coords' | 'parts' | 'cut_part'>) {}

  clear(): void {
    this.node_count = 0;
    this.runs = [];
    this.largest = 0;
    this.smallest = Infinity;
  }

  /** Adds the vertices of a row of the parts table. */
  add(row: number, polygon: number, ring: number): Run {
    const { coords, parts } = this.reading;
    const at = row * PART_COLUMNS;
    const stride = strideOf(parts[at + DIMS] as number);
    const count = parts[at + COUNT] as number;
    const start = this.node_count;
    this.reserve(start + count);
    const { xs, ys, vertices } = this;
    let [min_x, min_y, max_x, max_y] = [Infinity, Infinity, -Infinity, -Infinity];
    let last_x = Number.NaN;
    let last_y = Number.NaN;
    let has_gap = false;
    let smallest = this.smallest;
    let node = start;
    for (let n = 0, i = parts[at + START] as number; n < count; n++, i += stride) {
      let x = coords[i] as number;
      let y = coords[i + 1] as number;
      if (x === last_x && y === last_y) continue;
      if (x * 0 + y * 0 !== 0) {
        x = Number.NaN;
        y = Number.NaN;
        has_gap = true;
      } else {
        if (x < min_x) min_x = x;
        if (x > max_x) max_x = x;
        if (y < min_y) min_y = y;
        if (y > max_y) max_y = y;
        if (x !== 0 && Math.abs(x) < smallest) smallest = Math.abs(x);
        if (y !== 0 && Math.abs(y) < smallest) smallest = Math.abs(y);
      }
      xs[node] = last_x = x;
      ys[node] = last_y = y;
      vertices[node] = n;
      node++;
    }
    if (min_x <= max_x)
      this.largest = Math.max(this.largest, Math.abs(min_x), Math.abs(max_x), Math.abs(min_y), Math.abs(max_y));
    this.smallest = smallest;
    this.node_count = node;
    const ends_meet = node - start > 1 && xs[start] === xs[node - 1] && ys[start] === ys[node - 1];
    const run: Run = {
      row,
      polygon,
      ring,
      start,
      end: node,
      ends_meet,
      is_closed: ends_meet && !has_gap && row !== this.reading.cut_part,
      has_gap,
      min_x,
      min_y,
      max_x,
      max_y,
      is_flat: false,
      is_tangled: false,
      is_crossed: false,
      is_copy: false,
    };
    this.runs.push(run);
    return run;
  }

  /** Takes back the run that was added last. */
  dropLast(): void {
    const run = this.runs.pop();
    if (run) this.node_count = run.start;
  }

  at(node: number): [number, number] {
    return [this.xs[node] as number, this.ys[node] as number];
  }

  isGap(node: number): boolean {
    return Number.isNaN(this.xs[node] as number);
  }

  /** Node before `node` in its run, round the closure; −1 at an open end. */
  before(run: Run, node: number): number {
    const before = node > run.start ? node - 1 : run.ends_meet ? run.end - 2 : -1;
    return before < 0 || this.isGap(before) ? -1 : before;
  }

  private reserve(count: number): void {
    if (count <= this.xs.length) return;
    const size = Math.max(count, 2 * this.xs.length, 256);
    this.xs = grown(this.xs, new Float64Array(size));
    this.ys = grown(this.ys, new Float64Array(size));
    this.vertices = grown(this.vertices, new Int32Array(size));
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
