import type { EdgeTable, Run } from './edge-table';

/** Whether two closed rings have the same vertices in the same or the opposite order, wherever each begins. */
export function areSameRing(table: EdgeTable, a: Run, b: Run): boolean {
  const count = a.end - a.start - 1;
  if (!a.is_closed || !b.is_closed || b.end - b.start - 1 !== count) return false;
  if (a.min_x !== b.min_x || a.max_x !== b.max_x || a.min_y !== b.min_y || a.max_y !== b.max_y) return false;
  const from_a = a.start + lowest(table, a, count);
  const from_b = b.start + lowest(table, b, count);
  return [1, -1].some((step) => {
    for (let n = 0; n < count; n++) {
      const node_a = a.start + ((from_a - a.start + n) % count);
      const node_b = b.start + ((((from_b - b.start + step * n) % count) + count) % count);
      if (table.xs[node_a] !== table.xs[node_b] || table.ys[node_a] !== table.ys[node_b]) return false;
    }
    return true;
  });
}

/** Ordinal of the leftmost node, of those the lowest. */
export function lowest({ xs, ys }: EdgeTable, run: Run, count: number): number {
  let best = run.start;
  for (let node = run.start + 1; node < run.start + count; node++) {
    const x = xs[node] as number;
    const best_x = xs[best] as number;
    if (x < best_x || (x === best_x && (ys[node] as number) < (ys[best] as number))) best = node;
  }
  return best - run.start;
}
