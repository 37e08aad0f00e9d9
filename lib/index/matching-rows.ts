import type { PageOrder } from './answers';
import { type OrderedRow, OrderedRows } from './ordered-rows';
import type { IndexQuery } from './query';
import { type Held, Scan, type Scratch } from './scan';
import type { CellRange } from './selection';

/** How many entries match. */
export function countMatching(held: Held, query: IndexQuery): number {
  const scan = new Scan(held, query);
  if (scan.selection.everything && scan.time.unbounded) return countByKinds(held, scan);
  const { marks } = held.scratch;
  let total = 0;
  scan.run({
    decided: (list, count) => markMatching(held.scratch, list, count),
    visit: (block, slots, count) => {
      const { kind, day } = block;
      const { low, high } = scan.time;
      for (let i = 0; i < count; i += 1) {
        const slot = slots === null ? i : slots[i]!;
        const d = day[slot]!;
        if (d < low || d > high || marks[kind[slot]!] === 0) continue;
        if ((d > low && d < high) || scan.time.holdsRow(held.rows, block, slot)) total += 1;
      }
    },
  });
  return total;
}

/** The first matching entries of the order; of a tile alone where a range of cells is given. */
export function firstMatching(held: Held, query: IndexQuery, order: PageOrder, range?: CellRange): OrderedRow[] {
  const scan = new Scan(held, query, range);
  const ordered = new OrderedRows(held.rows, scan.time, order);
  scan.run({
    decided: () => {},
    visit: (block, slots, count) => {
      const { kind, day } = block;
      // so few rows are of a day that still counts, that to mark all kinds first is not worth it
      const { failed } = held.scratch;
      let { low, high } = ordered;
      for (let i = 0; i < count; i += 1) {
        const slot = slots === null ? i : slots[i]!;
        const d = day[slot]!;
        if (d < low || d > high || failed[kind[slot]!] !== 0) continue;
        ordered.take(block, slot);
        low = ordered.low;
        high = ordered.high;
      }
    },
  });
  return ordered.result();
}

/** The ids of at most `most` matching entries, in no order. */
export function idsMatching(held: Held, query: IndexQuery, most: number): Uint32Array {
  const scan = new Scan(held, query);
  const { marks } = held.scratch;
  let ids = new Uint32Array(Math.min(most, 1024));
  let found = 0;
  scan.run({
    decided: (list, count) => markMatching(held.scratch, list, count),
    visit: (block, slots, count) => {
      const { kind, day, entry_id } = block;
      const { low, high } = scan.time;
      for (let i = 0; i < count && found < most; i += 1) {
        const slot = slots === null ? i : slots[i]!;
        const d = day[slot]!;
        if (d < low || d > high || marks[kind[slot]!] === 0) continue;
        if ((d === low || d === high) && !scan.time.holdsRow(held.rows, block, slot)) continue;
        if (found === ids.length) {
          const longer = new Uint32Array(Math.min(most, 2 * found));
          longer.set(ids);
          ids = longer;
        }
        ids[found++] = entry_id[slot]!;
      }
    },
  });
  return ids.slice(0, found);
}

/** Marks the decided kinds: 1 where they match, else 0. */
function markMatching({ marks, failed }: Scratch, list: Uint32Array | null, count: number): void {
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    marks[kind] = failed[kind] === 0 ? 1 : 0;
  }
}

function countByKinds({ kinds, scratch }: Held, { failed }: Scan): number {
  failed.decide(null, kinds.size);
  let total = 0;
  for (let kind = 0; kind < kinds.size; kind += 1) if (scratch.failed[kind] === 0) total += kinds.count[kind]!;
  return total;
}
