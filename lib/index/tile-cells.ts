import { FAILURE_CLASSES } from '../dead-letter/vocabulary';
import type { CellCount, TileAddress } from './answers';
import { isReopened } from './flags';
import { CELLS } from './placed-blocks';
import type { IndexQuery } from './query';
import { type Held, Scan } from './scan';
import type { CellRange } from './selection';
import { CELL_BITS, cellAt, evenBits } from './z-order';

/** Counts of a cell: one for each mark that a row's kind can have. What does not match is counted too: that is quicker than to ask. */
const COUNTS = 16;
const REOPENED = 8;
const NO_MATCH = 15;
const OTHER = FAILURE_CLASSES.length;

/** The cells that a tile is. */
export function cellsOfTile({ z, x, y }: TileAddress): CellRange {
  const size = CELLS / 4 ** z;
  const first = Number(cellAt(x, y)) * size;
  return { first, end: first + size };
}

/** The cells `deeper` zooms below the tile that hold a match, in z-order. `z + deeper` ≤ 26, `deeper` ≤ 8. */
export function countCells(held: Held, query: IndexQuery, tile: TileAddress, deeper: number): CellCount[] {
  const scan = new Scan(held, query, cellsOfTile(tile));
  const { marks } = held.scratch;
  const inside = 4 ** deeper - 1;
  const counts = new Uint32Array((inside + 1) * COUNTS);
  // a cell's number within the tile: the bits of its upper half, or of both
  const below = 2 * (CELL_BITS - tile.z - deeper);
  const coarse = below >= CELL_BITS;
  const right = coarse ? below - CELL_BITS : below;
  const left = CELL_BITS - below;
  const counts_of_cell = COUNTS;
  scan.run({
    decided: (list, count) => markClasses(held, list, count),
    visit: (block, slots, count) => {
      const { kind, day, hi, lo } = block;
      const { low, high } = scan.time;
      for (let i = 0; i < count; i += 1) {
        const slot = slots === null ? i : slots[i]!;
        const mark = marks[kind[slot]!]!;
        const d = day[slot]!;
        if ((d <= low || d >= high) && !scan.time.holdsRow(held.rows, block, slot)) continue;
        const cell = coarse ? hi[slot]! >>> right : (hi[slot]! << left) | (lo[slot]! >>> right);
        counts[(cell & inside) * counts_of_cell + mark]! += 1;
      }
    },
  });
  return cellsFrom(counts, tile, deeper);
}

/** Marks the decided kinds by class and whether they were reopened. */
function markClasses({ kinds, bases, scratch }: Held, list: Uint32Array | null, count: number): void {
  const { marks, failed } = scratch;
  const { base, flags } = kinds;
  const classes = Uint8Array.from(bases.known_class);
  const reopened = Uint8Array.from({ length: 256 }, (_, one) => (isReopened(one) ? REOPENED : 0));
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    const matches = (failed[kind]! - 1) >>> 31;
    const mark = classes[base[kind]!]! | reopened[flags[kind]!]!;
    marks[kind] = (mark & -matches) | (NO_MATCH & (matches - 1));
  }
}

function cellsFrom(counts: Uint32Array, { x, y }: TileAddress, deeper: number): CellCount[] {
  const side = 2 ** deeper;
  const cells: CellCount[] = [];
  for (let cell = 0; cell < side * side; cell += 1) {
    const classes = new Uint32Array(OTHER);
    let total = 0;
    let other = 0;
    let reopened = 0;
    for (let mark = 0; mark < NO_MATCH; mark += 1) {
      const count = counts[cell * COUNTS + mark]!;
      if (count === 0) continue;
      const in_class = mark % REOPENED;
      total += count;
      if (mark >= REOPENED) reopened += count;
      if (in_class === OTHER) other += count;
      else classes[in_class]! += count;
    }
    if (total === 0) continue;
    cells.push({
      col: x * side + evenBits(cell),
      row: y * side + evenBits(cell >>> 1),
      total,
      classes,
      other,
      reopened,
    });
  }
  return cells;
}
