import { FAILURE_CLASSES } from '../dead-letter/vocabulary';
import type { CellCount, TileAddress } from './answers';
import type { Block } from './block';
import { isReopened } from './flags';
import { CELLS } from './placed-blocks';
import type { IndexQuery } from './query';
import { type Held, Scan } from './scan';
import type { CellRange } from './selection';
import type { TimeRange } from './time-range';
import { CELL_BITS, cellAt, evenBits } from './z-order';

/** Counts of a cell: one for each mark that a row's kind can have. What does not match is counted too: that is quicker than to ask. */
const COUNTS_SHIFT = 4;
const COUNTS = 2 ** COUNTS_SHIFT;
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
  const counts = new Uint32Array(4 ** deeper * COUNTS);
  const below = 2 * (CELL_BITS - tile.z - deeper);
  scan.run({
    decided: (list, count) => markClasses(held, list, count),
    visit: (block, slots, count) => {
      if (slots === null && scan.time.unbounded && below >= CELL_BITS)
        countAll(block, held.scratch.marks, counts, below);
      else countInTime(block, slots, count, { held, time: scan.time, counts, below });
    },
  });
  return cellsFrom(counts, tile, deeper);
}

/** Counts all rows of a block by cells whose number is in their upper half. What is imported is read anew in every turn of a loop. */
function countAll({ kind, hi, size }: Block, marks: Uint8Array, counts: Uint32Array, below: number): void {
  const inside = counts.length - 1;
  const right = below - CELL_BITS;
  const shift = COUNTS_SHIFT;
  for (let slot = 0; slot < size; slot += 1)
    counts[(((hi[slot]! >>> right) << shift) & inside) | marks[kind[slot]!]!]! += 1;
}

interface Counting {
  held: Held;
  time: TimeRange;
  counts: Uint32Array;
  /** Bits of a cell that are not of its number within the tile. */
  below: number;
}

/** Counts the rows in time, of a block or of some slots; one out of time counts as no match. */
function countInTime(block: Block, slots: Uint32Array | null, count: number, to: Counting): void {
  const { held, time, counts, below } = to;
  const { marks } = held.scratch;
  const { kind, day, hi, lo } = block;
  const { low, high } = time;
  const inside = counts.length - 1;
  const coarse = below >= CELL_BITS;
  const right = coarse ? below - CELL_BITS : below;
  const left = CELL_BITS - below;
  const [shift, no_match] = [COUNTS_SHIFT, NO_MATCH];
  for (let i = 0; i < count; i += 1) {
    const slot = slots === null ? i : slots[i]!;
    const d = day[slot]!;
    let within = ((low - d) & (d - high)) >>> 31;
    if (d === low || d === high) within = time.holdsRow(held.rows, block, slot) ? 1 : 0;
    const cell = coarse ? hi[slot]! >>> right : (hi[slot]! << left) | (lo[slot]! >>> right);
    counts[((cell << shift) & inside) | marks[kind[slot]!]! | (no_match & (within - 1))]! += 1;
  }
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
