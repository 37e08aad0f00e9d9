import type { VertexRun } from './check-sequence';
import type { FindingList } from './finding-list';
import { POINT } from './geometry-type';
import type { PathCursor } from './path-cursor';

/** Reads every ordinate once: the box of the finite vertices and the non-finite ones. */
export class VertexScan {
  first_non_finite_vertex: number | null = null;
  private minx = Infinity;
  private miny = Infinity;
  private maxx = -Infinity;
  private maxy = -Infinity;
  private seen = 0;

  constructor(
    private readonly found: FindingList,
    private readonly path: PathCursor,
  ) {}

  get bbox(): [number, number, number, number] | null {
    return this.minx <= this.maxx ? [this.minx, this.miny, this.maxx, this.maxy] : null;
  }

  scan(run: VertexRun): void {
    const { coords, stride } = run;
    for (let i = run.start, n = 0; n < run.count; i += stride, n++) {
      const x = coords[i] as number;
      const y = coords[i + 1] as number;
      // 0 for finite numbers, NaN where either is NaN or infinite.
      if (x * 0 + y * 0 !== 0) {
        this.reportNonFinite(run, n, x, y);
        continue;
      }
      if (x < this.minx) this.minx = x;
      if (x > this.maxx) this.maxx = x;
      if (y < this.miny) this.miny = y;
      if (y > this.maxy) this.maxy = y;
      for (let extra = 2; extra < stride; extra++) {
        const value = coords[i + extra] as number;
        if (!Number.isFinite(value)) this.reportExtra(run, n, x, y, value);
      }
    }
    this.seen += run.count;
  }

  private reportNonFinite(run: VertexRun, n: number, x: number, y: number): void {
    this.first_non_finite_vertex ??= this.seen + n;
    this.found.add('non_finite_vertex', () => {
      const may_be_empty = run.type === POINT && Number.isNaN(x) && Number.isNaN(y);
      const message = may_be_empty
        ? 'x and y are NaN: a lost position, or POINT EMPTY, which WKB writes with the same bytes'
        : `the vertex is ${x} ${y}`;
      return { path: this.pathOf(run, n), at: null, message, severity: 'fails' };
    });
  }

  private reportExtra(run: VertexRun, n: number, x: number, y: number, value: number): void {
    this.found.add('non_finite_vertex', () => {
      const message = `Z or M is ${value}; x and y are finite`;
      return { path: this.pathOf(run, n), at: [x, y], message, severity: 'note' };
    });
  }

  private pathOf(run: VertexRun, n: number): number[] {
    return run.type === POINT ? this.path.here() : this.path.vertex(n);
  }
}
