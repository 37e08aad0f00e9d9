import type { IndexFold } from './answers';
import { type Block, HALF } from './block';
import { squareOf, xOf, yOf } from './boxes';
import type { PlacedBlocks } from './placed-blocks';
import { CELL_BITS, evenBits } from './z-order';

/** Cells of zoom 7, 128 × 128 over the world: small enough to send and to look for the fullest part of. */
const GRID_ZOOM = 7;
/** From the upper half of a cell to its cell of the grid. */
export const GRID_SHIFT = CELL_BITS - 2 * GRID_ZOOM;

export const OFF_GRID = 4 ** GRID_ZOOM;

/** Whether a row counts. */
type Counts = (block: Block, slot: number) => boolean;

interface Pending {
  block: Block;
  square: ReturnType<typeof squareOf>;
}

/** Where matching entries lie: their counts per cell of the grid, and the extent of all of them. */
export class Positions {
  /** Twice as long as the grid: OFF_GRID behind a cell is where rows go that do not count, so that a loop need not ask. */
  readonly grid = new Uint32Array(2 * OFF_GRID);
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #north = Number.POSITIVE_INFINITY;
  #south = Number.NEGATIVE_INFINITY;
  #pending: Pending[] = [];

  /** A whole block that has a row which counts: looked through only if it can matter. */
  extendLater(block: Block, placed: PlacedBlocks): void {
    const end = placed.endOf(placed.all.indexOf(block));
    this.#pending.push({ block, square: squareOf(block.first, end - 1) });
  }

  /** Extends to the rows that count, of all the block's or of the first `count` slots. */
  extend(block: Block, slots: Uint32Array | null, count: number, counts: Counts): void {
    const { hi, lo } = block;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      const x = xOf(hi[slot]!, lo[slot]!);
      const y = yOf(hi[slot]!, lo[slot]!);
      if (x >= this.#west && x <= this.#east && y >= this.#north && y <= this.#south) continue;
      if (!counts(block, slot)) continue;
      if (x < this.#west) this.#west = x;
      if (x > this.#east) this.#east = x;
      if (y < this.#north) this.#north = y;
      if (y > this.#south) this.#south = y;
    }
  }

  /** Looks through the blocks left for later, from each side, until none that is left reaches beyond what was found. */
  settle(counts: Counts): void {
    const sides: ((square: Pending['square']) => { from: number; found: () => number })[] = [
      ({ west }) => ({ from: west, found: () => this.#west }),
      ({ east }) => ({ from: -east, found: () => -this.#east }),
      ({ north }) => ({ from: north, found: () => this.#north }),
      ({ south }) => ({ from: -south, found: () => -this.#south }),
    ];
    for (const side of sides) {
      this.#pending.sort((a, b) => side(a.square).from - side(b.square).from);
      for (let i = 0; i < this.#pending.length; i += 1) {
        const { block, square } = this.#pending[i]!;
        const { from, found } = side(square);
        if (from >= found()) break;
        this.extend(block, null, block.size, counts);
        this.#pending.splice(i, 1);
        i -= 1;
      }
    }
    this.#pending = [];
  }

  /** [west, south, east, north] of the centres of the outermost cells, degrees. */
  get extent(): IndexFold['extent'] {
    if (this.#west === Number.POSITIVE_INFINITY) return null;
    return [
      longitude(indexOf(this.#west)),
      latitude(indexOf(this.#south / 2)),
      longitude(indexOf(this.#east)),
      latitude(indexOf(this.#north / 2)),
    ];
  }

  gridCounts(): IndexFold['grid'] {
    const cells: IndexFold['grid'] = [];
    for (let cell = 0; cell < OFF_GRID; cell += 1)
      if (this.grid[cell] !== 0) cells.push({ cell, count: this.grid[cell]! });
    return cells;
  }
}

/** The column (or row) whose bits are every second one of a cell's. */
function indexOf(bits: number): number {
  return evenBits(Math.floor(bits / HALF)) * 2 ** (CELL_BITS / 2) + evenBits(bits % HALF);
}

const SIDE = 2 ** CELL_BITS;
const longitude = (column: number) => ((column + 0.5) / SIDE) * 360 - 180;
const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * (row + 0.5)) / SIDE))) * 180) / Math.PI;
