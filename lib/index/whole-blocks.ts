import type { Block } from './block';
import { CLASS, LOOK, OFF_CELL } from './fold-marks';
import { GRID_SHIFT, type Positions } from './positions';
import type { Held } from './scan';
import { DAY_SHIFT, type TimeAxis } from './time-axis';
import type { TimeRange } from './time-range';

/** From the bit OFF_CELL to OFF_GRID. */
const OFF_GRID_SHIFT = 10;
/** From the bit COUNTED, the highest of a mark, to 1. */
const COUNTED_SHIFT = 6;

/** Is told of a row that can be off the time axis, of a class without a slot, the first of a version or a newest. */
type Look = (block: Block, slot: number, mark: number, in_time: boolean) => void;

/**
 * The tally of blocks all of whose rows are selected. The loops ask nothing that cannot be foreseen: a third of the rows
 * passing at random made a branch cost more (6 ns a row) than the counting. What is imported is read anew in every turn of
 * a loop, so the loops copy it first.
 */
export class WholeBlocks {
  readonly #held: Held;
  readonly #time: TimeRange;
  readonly #axis: TimeAxis;
  readonly #positions: Positions;
  readonly #look: Look;

  constructor(held: Held, time: TimeRange, axis: TimeAxis, positions: Positions, look: Look) {
    this.#held = held;
    this.#time = time;
    this.#axis = axis;
    this.#positions = positions;
    this.#look = look;
  }

  /** All rows of a block, where there is no condition on rows. */
  visit(block: Block): void {
    const { marks, by_day } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.#positions;
    const before_end = this.#axis.last_day - 1;
    let off_cell = 0;
    const class_bits = CLASS;
    const off_bit = OFF_CELL;
    const look = LOOK;
    const day_shift = DAY_SHIFT;
    const grid_shift = GRID_SHIFT;
    const off_shift = OFF_GRID_SHIFT;
    for (let slot = 0; slot < size; slot += 1) {
      const of_kind = kind[slot]!;
      const mark = marks[of_kind]!;
      const d = day[slot]!;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      grid[(hi[slot]! >>> grid_shift) | ((mark & off_bit) << off_shift)]! += 1;
      off_cell += mark & off_bit;
      if (((mark & look) | ((before_end - d) >>> 31)) !== 0) this.#look(block, slot, mark, true);
    }
    if (off_cell < size * off_bit) this.#positions.extendLater(block, this.#held.rows.placed);
  }

  /** All rows of a block also by kind, where there is no condition on time. */
  visitCounted(block: Block): void {
    const { marks, by_day, counts, carried } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.#positions;
    const before_end = this.#axis.last_day - 1;
    let off_cell = 0;
    const [class_bits, off_bit, look] = [CLASS, OFF_CELL, LOOK];
    const [day_shift, grid_shift, off_shift, counted_shift] = [DAY_SHIFT, GRID_SHIFT, OFF_GRID_SHIFT, COUNTED_SHIFT];
    for (let slot = 0; slot < size; slot += 1) {
      const of_kind = kind[slot]!;
      const mark = marks[of_kind]!;
      const d = day[slot]!;
      const n = counts[of_kind]! + (mark >>> counted_shift);
      counts[of_kind] = n;
      if (n > 255) carried[of_kind]! += 256;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      grid[(hi[slot]! >>> grid_shift) | ((mark & off_bit) << off_shift)]! += 1;
      off_cell += mark & off_bit;
      if (((mark & look) | ((before_end - d) >>> 31)) !== 0) this.#look(block, slot, mark, true);
    }
    if (off_cell < size * off_bit) this.#positions.extendLater(block, this.#held.rows.placed);
  }

  /** All rows of a block, those in time also by kind. */
  visitInTime(block: Block): void {
    const { marks, by_day, counts, carried, slots } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.#positions;
    const { low, high } = this.#time;
    const before_end = this.#axis.last_day - 1;
    let in_time = 0;
    const class_bits = CLASS;
    const off_bit = OFF_CELL;
    const look = LOOK;
    const day_shift = DAY_SHIFT;
    const grid_shift = GRID_SHIFT;
    const off_shift = OFF_GRID_SHIFT;
    const counted_shift = COUNTED_SHIFT;
    for (let slot = 0; slot < size; slot += 1) {
      const of_kind = kind[slot]!;
      const mark = marks[of_kind]!;
      const d = day[slot]!;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      let within = ((low - d) & (d - high)) >>> 31;
      if (d === low || d === high) within = this.#time.holdsRow(this.#held.rows, block, slot) ? 1 : 0;
      slots[in_time] = slot;
      in_time += within & (mark >>> counted_shift);
      if (((mark & look) | ((before_end - d) >>> 31)) !== 0) this.#look(block, slot, mark, within === 1);
    }
    let off_cell = 0;
    for (let i = 0; i < in_time; i += 1) {
      const slot = slots[i]!;
      const of_kind = kind[slot]!;
      const mark = marks[of_kind]!;
      const n = counts[of_kind]! + 1;
      counts[of_kind] = n;
      if (n > 255) carried[of_kind]! += 256;
      grid[(hi[slot]! >>> grid_shift) | ((mark & off_bit) << off_shift)]! += 1;
      off_cell += mark & off_bit;
    }
    if (off_cell < in_time * off_bit) this.#positions.extendLater(block, this.#held.rows.placed);
  }
}
