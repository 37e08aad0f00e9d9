import { type Block, HALF } from './block';
import { type Box, boxesOf, holdsRange, isInBoxes, xOf, yOf } from './boxes';
import { CELLS, MOST_ROWS } from './placed-blocks';
import type { IndexQuery } from './query';
import type { Rows } from './rows';

/** Is told of the selected rows: all of a block (null), or the first `count` of these slots, which are reused after. */
export type Visit = (block: Block, slots: Uint32Array | null, count: number) => void;

/** The cells [first, end) of a tile. */
export interface CellRange {
  first: number;
  end: number;
}

/** The conditions on where a row lies and whose it is, as they are tested. */
export class Selection {
  /** Null where any position will do, and none. */
  readonly boxes: Box[] | null;
  readonly ids: Uint32Array | null;
  readonly #rows: Rows;
  readonly #range: CellRange | null;
  #slots = new Uint32Array(0);
  #members: Uint8Array | null = null;

  constructor(rows: Rows, query: IndexQuery, range: CellRange | null = null) {
    this.#rows = rows;
    this.#range = range;
    this.boxes = query.conditions.bbox ? boxesOf(query.conditions.bbox) : null;
    this.ids = query.entry_ids ?? null;
  }

  /** Whether rows without a position are out. */
  get by_place(): boolean {
    return this.boxes !== null || this.#range !== null;
  }

  get everything(): boolean {
    return !this.by_place && this.ids === null;
  }

  /** No more rows than these are selected. */
  candidates(): number {
    const rows = this.#rowsInPlace();
    return this.ids ? Math.min(rows, this.ids.length) : rows;
  }

  each(visit: Visit): void {
    if (this.ids && this.ids.length * 8 < this.#rowsInPlace()) {
      this.#eachById(this.ids, visit);
      return;
    }
    const { placed, unplaced } = this.#rows;
    for (const [from, to] of this.#ranges())
      for (let i = from; i < to; i += 1) this.#visitBlock(placed.all[i]!, this.#isWithin(i), visit);
    if (!this.by_place) for (const block of unplaced) this.#visitBlock(block, true, visit);
  }

  /** The same of rows in a block that is not among the others. */
  eachOf(block: Block, visit: Visit): void {
    this.#visitBlock(block, !this.by_place, visit);
  }

  #rowsInPlace(): number {
    if (!this.by_place) return this.#rows.size;
    let rows = 0;
    for (const [from, to] of this.#ranges()) for (let i = from; i < to; i += 1) rows += this.#rows.placed.all[i]!.size;
    return rows;
  }

  /** Ranges of blocks that can hold a position, without overlap. */
  #ranges(): [number, number][] {
    const { placed } = this.#rows;
    const range = this.#range ?? { first: 0, end: CELLS };
    if (!this.boxes) return [placed.meeting(range.first, range.end)];
    const ranges: [number, number][] = [];
    for (const { first, last } of this.boxes) {
      const [from, to] = placed.meeting(Math.max(first, range.first), Math.min(last + 1, range.end));
      const before = ranges.at(-1);
      if (before && from < before[1] && to > before[0])
        ranges[ranges.length - 1] = [Math.min(from, before[0]), Math.max(to, before[1])];
      else if (from < to) ranges.push([from, to]);
    }
    return ranges;
  }

  /** Whether every row of the block has a position that is meant. */
  #isWithin(index: number): boolean {
    if (!this.by_place) return true;
    const { placed } = this.#rows;
    const first = placed.all[index]!.first;
    const end = placed.endOf(index);
    if (this.#range && (first < this.#range.first || end > this.#range.end)) return false;
    return this.boxes === null || holdsRange(this.boxes, first, end);
  }

  #visitBlock(block: Block, within: boolean, visit: Visit): void {
    if (within && this.ids === null) {
      if (block.size > 0) visit(block, null, block.size);
      return;
    }
    const slots = this.#room(block.size);
    let count = 0;
    if (within) for (; count < block.size; count += 1) slots[count] = count;
    else if (this.boxes === null) count = slotsInRange(block, this.#range!, slots);
    else count = slotsInBoxes(block, this.boxes, this.#range, slots);
    if (this.ids) count = this.#membersOf(block, slots, count);
    if (count > 0) visit(block, slots, count);
  }

  /** Keeps the slots of the entries that are meant. */
  #membersOf(block: Block, slots: Uint32Array, count: number): number {
    this.#members ??= bitsOf(this.ids!);
    const members = this.#members;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const slot = slots[i]!;
      const entry_id = block.entry_id[slot]!;
      if ((members[entry_id >>> 3]! >>> (entry_id & 7)) & 1) slots[kept++] = slot;
    }
    return kept;
  }

  #eachById(ids: Uint32Array, visit: Visit): void {
    const located = new Uint32Array(ids.length);
    for (let i = 0; i < ids.length; i += 1) located[i] = this.#rows.locate(ids[i]!);
    located.sort();
    const slots = this.#room(MOST_ROWS);
    for (let i = 0; i < located.length; ) {
      const number = located[i]! >>> 16;
      let count = 0;
      for (; i < located.length && located[i]! >>> 16 === number; i += 1)
        if (i === 0 || located[i] !== located[i - 1]) slots[count++] = located[i]! & (MOST_ROWS - 1);
      if (number === 0) continue;
      const block = this.#rows.blockOf(number * MOST_ROWS);
      if (this.by_place) count = this.#inPlace(block, slots, count);
      if (count > 0) visit(block, slots, count);
    }
  }

  #inPlace(block: Block, slots: Uint32Array, count: number): number {
    if (!block.placed) return 0;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const slot = slots[i]!;
      const cell = block.cellAt(slot);
      if (this.#range && (cell < this.#range.first || cell >= this.#range.end)) continue;
      if (this.boxes && !isInBoxes(this.boxes, block.hi[slot]!, block.lo[slot]!)) continue;
      slots[kept++] = slot;
    }
    return kept;
  }

  #room(size: number): Uint32Array {
    if (this.#slots.length < size) this.#slots = new Uint32Array(Math.max(size, this.#rows.most));
    return this.#slots;
  }
}

function slotsInRange(block: Block, { first, end }: CellRange, slots: Uint32Array): number {
  const { hi, lo, size } = block;
  let count = 0;
  for (let slot = 0; slot < size; slot += 1) {
    const cell = hi[slot]! * HALF + lo[slot]!;
    if (cell >= first && cell < end) slots[count++] = slot;
  }
  return count;
}

function slotsInBoxes(block: Block, boxes: readonly Box[], range: CellRange | null, slots: Uint32Array): number {
  const { hi, lo, size } = block;
  let count = 0;
  if (boxes.length === 1 && range === null) {
    const { west, east, north, south } = boxes[0]!;
    for (let slot = 0; slot < size; slot += 1) {
      const x = xOf(hi[slot]!, lo[slot]!);
      const y = yOf(hi[slot]!, lo[slot]!);
      slots[count] = slot;
      if (x >= west && x <= east && y >= north && y <= south) count += 1;
    }
    return count;
  }
  for (let slot = 0; slot < size; slot += 1) {
    if (!isInBoxes(boxes, hi[slot]!, lo[slot]!)) continue;
    const cell = hi[slot]! * HALF + lo[slot]!;
    if (range === null || (cell >= range.first && cell < range.end)) slots[count++] = slot;
  }
  return count;
}

/** One bit an id. */
function bitsOf(ids: Uint32Array): Uint8Array {
  const largest = ids.reduce((most, id) => Math.max(most, id), 0);
  const bits = new Uint8Array((largest >>> 3) + 1);
  for (const id of ids) bits[id >>> 3]! |= 1 << (id & 7);
  return bits;
}
