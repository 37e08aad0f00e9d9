import Flatbush from 'flatbush';
import type { EdgeTable, Run } from './edge-table';
import { scaleFor } from './turn';

/** Consecutive edges share a box: an index of every edge took three times as long to build and to search. */
const EDGES_PER_CHUNK = 8;
/** Fewer are looked through one by one. */
const MIN_INDEXED = 24;

/** Boxes round short stretches of edges, none of them over the end of a run. */
export class EdgeIndex {
  readonly chunk_count: number;
  /** First edge of each chunk, and before which it ends. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  readonly runs: Run[] = [];
  /** min x, min y, max x, max y of each chunk. */
  readonly boxes: Float64Array;
  private readonly index: Flatbush | null;
  /** Widths of the index's boxes must be finite. Rounding keeps the order, so no two boxes come apart. */
  private readonly scale: number;

  constructor(table: EdgeTable) {
    let count = 0;
    for (const run of table.runs) count += Math.ceil(Math.max(0, run.end - run.start - 1) / EDGES_PER_CHUNK);
    this.first = new Int32Array(count);
    this.end = new Int32Array(count);
    this.boxes = new Float64Array(count * 4);
    let chunk = 0;
    for (const run of table.runs) {
      for (let edge = run.start; edge < run.end - 1; edge += EDGES_PER_CHUNK, chunk++) {
        this.first[chunk] = edge;
        this.end[chunk] = Math.min(edge + EDGES_PER_CHUNK, run.end - 1);
        this.runs.push(run);
        this.setBox(table, chunk);
      }
    }
    this.chunk_count = count;
    this.scale = scaleFor(table.largest, table.smallest);
    this.index = count < MIN_INDEXED ? null : this.build();
  }

  /** Calls back for every chunk whose box meets the given one, in no order. */
  search(min_x: number, min_y: number, max_x: number, max_y: number, visit: (chunk: number) => void): void {
    const { index, scale } = this;
    if (index) {
      index.search(min_x * scale, min_y * scale, max_x * scale, max_y * scale, (chunk) => {
        visit(chunk);
        return false;
      });
      return;
    }
    const { boxes } = this;
    for (let chunk = 0, at = 0; chunk < this.chunk_count; chunk++, at += 4)
      if (
        (boxes[at] as number) <= max_x &&
        (boxes[at + 1] as number) <= max_y &&
        (boxes[at + 2] as number) >= min_x &&
        (boxes[at + 3] as number) >= min_y
      )
        visit(chunk);
  }

  private build(): Flatbush {
    const index = new Flatbush(this.chunk_count);
    const { boxes, scale } = this;
    const scaled = (at: number) => (boxes[at] as number) * scale;
    for (let at = 0; at < boxes.length; at += 4) index.add(scaled(at), scaled(at + 1), scaled(at + 2), scaled(at + 3));
    index.finish();
    return index;
  }

  /** Edges to or from a node NaN are left out; a chunk without any other has an empty box. */
  private setBox({ xs, ys }: EdgeTable, chunk: number): void {
    let [min_x, min_y, max_x, max_y] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let node = this.first[chunk] as number; node <= (this.end[chunk] as number); node++) {
      const x = xs[node] as number;
      const y = ys[node] as number;
      if (x < min_x) min_x = x;
      if (x > max_x) max_x = x;
      if (y < min_y) min_y = y;
      if (y > max_y) max_y = y;
    }
    this.boxes.set([min_x, min_y, max_x, max_y], chunk * 4);
  }
}
