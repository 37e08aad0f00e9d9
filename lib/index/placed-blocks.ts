import type { Block } from './block';

/** The most rows that a locator can address in a block. */
export const MOST_ROWS = 65_536;
/** One more than the last cell. */
export const CELLS = 2 ** 52;
/** How much longer a block's columns get when they are full: what stays unused is half of it. */
const GROWTH = 1.125;

export const grown = (size: number, most: number): number => Math.min(most, Math.max(16, Math.ceil(size * GROWTH)));

/**
 * The blocks of the rows that have a cell, in the order of cells. Block i holds the cells from its `first` up to the next
 * block's; where those are equal, the one cell alone: a cell with more rows than a block holds fills several.
 */
export class PlacedBlocks {
  readonly all: Block[] = [];

  /** Where in `all` a row of the cell is put: the last block that begins at or before it. */
  indexFor(cell: number): number {
    return Math.max(0, upperBound(this.all, cell) - 1);
  }

  /** Whether the block holds rows of its `first` alone. */
  isOneCell(index: number): boolean {
    return this.all[index + 1]?.first === this.all[index]!.first;
  }

  /** One more than the last cell that block `index` can hold. */
  endOf(index: number): number {
    if (this.isOneCell(index)) return this.all[index]!.first + 1;
    return this.all[index + 1]?.first ?? CELLS;
  }

  /** The blocks that can hold cells in [first, end), as a range of `all`. */
  meeting(first: number, end: number): [from: number, to: number] {
    let from = upperBound(this.all, first);
    // blocks of the same bound stand together; the one before can reach into the range
    while (from > 0 && this.endOf(from - 1) > first) from -= 1;
    return [from, upperBound(this.all, end - 1)];
  }
}

/** Number of blocks that begin at or before the cell. */
function upperBound(blocks: readonly Block[], cell: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (blocks[middle]!.first <= cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The cell at which a full block is split, so that both halves hold as near to half of its rows as equal cells allow; null
 * where all its rows are at one cell. Where `last` (no block after it) and the new row lies behind all the others, the
 * split is behind them: rows that come in the order of cells leave full blocks.
 */
export function splitCell(block: Block, cell: number, last: boolean): number | null {
  const cells = new Float64Array(block.size);
  for (let slot = 0; slot < block.size; slot += 1) cells[slot] = block.cellAt(slot);
  cells.sort();
  const end = cells[block.size - 1]!;
  if (last && cell > end) return cell;
  if (cells[0] === end) return null;
  const middle = block.size >>> 1;
  const median = cells[middle]!;
  let before = middle;
  while (before > 0 && cells[before - 1] === median) before -= 1;
  let behind = middle;
  while (behind < block.size && cells[behind] === median) behind += 1;
  if (before === 0) return cells[behind]!;
  return behind === block.size || middle - before <= behind - middle ? median : cells[behind]!;
}
