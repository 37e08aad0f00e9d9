/** A block's columns; a row is a slot in each of them. 24 bytes a row. */
export class Block {
  size = 0;
  kind: Uint32Array;
  /** See instants.ts. */
  day: Uint16Array;
  ms: Uint32Array;
  micro: Uint16Array;
  /** The upper 26 bits of the cell (the tile of zoom 13), and the lower ones. */
  hi: Uint32Array;
  lo: Uint32Array;
  entry_id: Uint32Array;

  /**
   * @param id how the locator names the block.
   * @param first lowest cell of the range that the block holds; it reaches to the next block's. NaN for rows without a cell.
   */
  constructor(
    readonly id: number,
    public first: number,
    capacity: number,
  ) {
    this.kind = new Uint32Array(capacity);
    this.day = new Uint16Array(capacity);
    this.ms = new Uint32Array(capacity);
    this.micro = new Uint16Array(capacity);
    this.hi = new Uint32Array(capacity);
    this.lo = new Uint32Array(capacity);
    this.entry_id = new Uint32Array(capacity);
  }

  get placed(): boolean {
    return !Number.isNaN(this.first);
  }

  get capacity(): number {
    return this.kind.length;
  }

  cellAt(slot: number): number {
    return this.hi[slot]! * HALF + this.lo[slot]!;
  }

  place(slot: number, cell: number): void {
    this.hi[slot] = Math.floor(cell / HALF);
    this.lo[slot] = cell % HALF;
  }

  copy(from: Block, from_slot: number, to_slot: number): void {
    this.kind[to_slot] = from.kind[from_slot]!;
    this.day[to_slot] = from.day[from_slot]!;
    this.ms[to_slot] = from.ms[from_slot]!;
    this.micro[to_slot] = from.micro[from_slot]!;
    this.hi[to_slot] = from.hi[from_slot]!;
    this.lo[to_slot] = from.lo[from_slot]!;
    this.entry_id[to_slot] = from.entry_id[from_slot]!;
  }

  /** Gives the columns another length, which is at least `size`. */
  resize(capacity: number): void {
    this.kind = resized(new Uint32Array(capacity), this.kind, this.size);
    this.day = resized(new Uint16Array(capacity), this.day, this.size);
    this.ms = resized(new Uint32Array(capacity), this.ms, this.size);
    this.micro = resized(new Uint16Array(capacity), this.micro, this.size);
    this.hi = resized(new Uint32Array(capacity), this.hi, this.size);
    this.lo = resized(new Uint32Array(capacity), this.lo, this.size);
    this.entry_id = resized(new Uint32Array(capacity), this.entry_id, this.size);
  }
}

export const ROW_BYTES = 24;
/** A cell is hi × HALF + lo. */
export const HALF = 2 ** 26;

function resized<Column extends Uint32Array | Uint16Array>(to: Column, from: Column, size: number): Column {
  to.set(from.subarray(0, size));
  return to;
}
