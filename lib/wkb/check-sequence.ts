import type { FindingList } from './finding-list';
import { CIRCULAR_STRING, POINT } from './geometry-type';
import type { PathCursor } from './path-cursor';

export interface VertexRun {
  coords: Float64Array;
  start: number;
  count: number;
  stride: number;
  type: number;
  is_ring: boolean;
  /** The bytes declare more vertices than could be read: nothing is said about its end. */
  is_cut: boolean;
}

/** Checks the number of vertices of a line, arc or ring, and that a ring ends where it began. */
export function checkSequence(found: FindingList, path: PathCursor, run: VertexRun): void {
  if (run.type === POINT || run.is_cut) return;
  const too_few = tooFew(run);
  if (too_few) {
    const at = finitePlace(run, 0);
    found.add('too_few_points', () => ({ path: path.here(), at, message: too_few, severity: 'fails' }));
  }
  if (!run.is_ring || run.count < 2) return;
  const [x0, y0] = place(run, 0);
  const [x1, y1] = place(run, run.count - 1);
  const at = finitePlace(run, run.count - 1);
  if (!same(x0, x1) || !same(y0, y1)) {
    const message = `the ring ends at ${x1} ${y1}, not where it began, at ${x0} ${y0}`;
    found.add('unclosed_ring', () => ({ path: path.here(), at, message, severity: 'fails' }));
    return;
  }
  for (let extra = 2; extra < run.stride; extra++) {
    const from = ordinate(run, 0, extra);
    const to = ordinate(run, run.count - 1, extra);
    if (same(from, to)) continue;
    const message = `the ring closes in x and y, but its Z or M ends at ${to} and began at ${from}`;
    found.add('unclosed_ring', () => ({ path: path.here(), at, message, severity: 'note' }));
    return;
  }
}

function tooFew(run: VertexRun): string | null {
  const { count } = run;
  if (run.type === CIRCULAR_STRING) {
    if (count > 0 && count < 3) return `an arc needs 3 vertices, this has ${count}`;
    return count % 2 === 0 && count > 0 ? `arcs need an odd number of vertices, these have ${count}` : null;
  }
  if (run.is_ring) return count < 4 ? `a ring needs 4 vertices, this has ${count}` : null;
  return count === 1 ? 'a line needs 2 vertices, this has 1' : null;
}

/** NaN counts as equal to NaN: a ring that begins and ends at NaN has a non-finite vertex, not an open end. */
function same(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function ordinate(run: VertexRun, n: number, extra: number): number {
  return run.coords[run.start + n * run.stride + extra] as number;
}

function place(run: VertexRun, n: number): [number, number] {
  return [ordinate(run, n, 0), ordinate(run, n, 1)];
}

function finitePlace(run: VertexRun, n: number): [number, number] | null {
  if (n >= run.count) return null;
  const [x, y] = place(run, n);
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null;
}
