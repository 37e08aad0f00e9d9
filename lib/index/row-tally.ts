import type { IndexFold } from './answers';
import type { Block } from './block';
import { CLASS, COUNTED, LOOK, OFF_CELL } from './fold-marks';
import { NewestOfSignatures } from './newest-of-signatures';
import { GRID_SHIFT, Positions } from './positions';
import type { IndexQuery } from './query';
import type { Held } from './scan';
import { DAY_SHIFT, NO_CLASS, OTHER_CLASS, secondOf, TimeAxis } from './time-axis';
import type { TimeRange } from './time-range';
import { VersionFirsts } from './version-firsts';

/** From the bit OFF_CELL to OFF_GRID. */
const OFF_GRID_SHIFT = 10;
/** From the bit COUNTED, the highest of a mark, to 1. */
const COUNTED_SHIFT = 6;

/**
 * What a fold takes from rows: time axis, first of each version, newest of signatures, positions, and counts by kind.
 * The loops over whole blocks ask nothing that cannot be foreseen: a third of the rows passing at random made a branch cost
 * more (6 ns a row) than the counting. What is imported is read anew in every turn of a loop, so the loops copy it first.
 */
export class RowTally {
  readonly axis: TimeAxis;
  readonly versions: VersionFirsts;
  readonly positions = new Positions();
  /** The signatures whose newest entries are looked for. */
  newest: NewestOfSignatures;
  #slots: Uint16Array | null = null;
  readonly #held: Held;
  readonly #time: TimeRange;

  constructor(held: Held, query: IndexQuery, time: TimeRange) {
    this.#held = held;
    this.#time = time;
    this.axis = new TimeAxis(held.rows, query.now_us, held.scratch.by_day);
    this.versions = new VersionFirsts(held.rows, held.versions);
    this.newest = new NewestOfSignatures(held, !query.true_positions);
  }

  watch(newest: NewestOfSignatures): void {
    this.newest = newest;
    this.#slots = newest.slots();
  }

  /** All rows of a block, where there is no condition on rows. */
  visitWhole(block: Block): void {
    const { marks, by_day } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.positions;
    const before_end = this.axis.last_day - 1;
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
    if (off_cell < size * off_bit) this.#extendLater(block);
  }

  /** All rows of a block also by kind, where there is no condition on time. */
  visitCounted(block: Block): void {
    const { marks, by_day, counts } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.positions;
    const before_end = this.axis.last_day - 1;
    let off_cell = 0;
    const [class_bits, off_bit, look] = [CLASS, OFF_CELL, LOOK];
    const [day_shift, grid_shift, off_shift, counted_shift] = [DAY_SHIFT, GRID_SHIFT, OFF_GRID_SHIFT, COUNTED_SHIFT];
    for (let slot = 0; slot < size; slot += 1) {
      const of_kind = kind[slot]!;
      const mark = marks[of_kind]!;
      const d = day[slot]!;
      counts[of_kind]! += mark >>> counted_shift;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      grid[(hi[slot]! >>> grid_shift) | ((mark & off_bit) << off_shift)]! += 1;
      off_cell += mark & off_bit;
      if (((mark & look) | ((before_end - d) >>> 31)) !== 0) this.#look(block, slot, mark, true);
    }
    if (off_cell < size * off_bit) this.#extendLater(block);
  }

  /** All rows of a block, those in time also by kind. */
  visitInTime(block: Block): void {
    const { marks, by_day, counts, slots } = this.#held.scratch;
    const { kind, day, hi, size } = block;
    const { grid } = this.positions;
    const { low, high } = this.#time;
    const before_end = this.axis.last_day - 1;
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
      counts[of_kind]! += 1;
      grid[(hi[slot]! >>> grid_shift) | ((mark & off_bit) << off_shift)]! += 1;
      off_cell += mark & off_bit;
    }
    if (off_cell < in_time * off_bit) this.#extendLater(block);
  }

  /** Rows of which few match, or some of a block; `counting` counts those in time by kind. */
  visitSome(block: Block, slots: Uint32Array | null, count: number, counting: boolean): void {
    const { marks, by_day, counts } = this.#held.scratch;
    const { kind, day, hi } = block;
    const { grid } = this.positions;
    let at_cell = false;
    const class_bits = CLASS;
    const off_bit = OFF_CELL;
    const look = LOOK;
    const day_shift = DAY_SHIFT;
    const grid_shift = GRID_SHIFT;
    const no_class = NO_CLASS;
    const counted = COUNTED;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      const mark = marks[kind[slot]!]!;
      if ((mark & counted) === 0 || (!counting && (mark & class_bits) === no_class)) continue;
      const in_time = this.#time.holdsRow(this.#held.rows, block, slot);
      if (counting && in_time) counts[kind[slot]!]! += 1;
      if ((mark & class_bits) === no_class) continue;
      const d = day[slot]!;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      if ((mark & look) !== 0 || d >= this.axis.last_day) this.#look(block, slot, mark, in_time);
      if (!in_time || (mark & off_bit) !== 0) continue;
      grid[hi[slot]! >>> grid_shift]! += 1;
      at_cell = true;
    }
    if (!at_cell) return;
    if (slots === null && this.#held.rows.placed.all.includes(block)) this.#extendLater(block);
    else this.positions.extend(block, slots, count, this.#isAtCell);
  }

  /** Tallies the positions alone of rows whose shown cells the block holds. */
  visitPositions(block: Block, slots: Uint32Array | null, count: number): void {
    const { marks } = this.#held.scratch;
    const counts = (_: Block, slot: number) =>
      (marks[block.kind[slot]!]! & CLASS) !== NO_CLASS && this.#time.holdsRow(this.#held.rows, block, slot);
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      if (counts(block, slot)) this.positions.grid[block.hi[slot]! >>> GRID_SHIFT]! += 1;
    }
    this.positions.extend(block, slots, count, counts);
  }

  /** Only looks for firsts and newest. */
  visitLooked(block: Block, slots: Uint32Array | null, count: number): void {
    const { marks } = this.#held.scratch;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      if ((marks[block.kind[slot]!]! & LOOK) !== 0)
        this.#seek(block, slot, this.#time.holdsRow(this.#held.rows, block, slot), this.axis.holds(block, slot));
    }
  }

  /** Call it while the marks of what was visited still hold. */
  settle(): void {
    this.positions.settle(this.#isAtCell);
  }

  answers(versions: number): Pick<IndexFold, 'extent' | 'grid' | 'first_s' | 'last_s' | 'days' | 'versions'> {
    const days = this.axis.days(this.#held.bases);
    const [first, last] = [days[0], days.at(-1)];
    return {
      extent: this.positions.extent,
      grid: this.positions.gridCounts(),
      first_s: first ? secondOf(first.day) : null,
      last_s: last ? secondOf(last.day) : null,
      days,
      versions: this.versions.newest(versions),
    };
  }

  /** A row that was counted by day. */
  #look(block: Block, slot: number, mark: number, in_time: boolean): void {
    const of_class = mark & CLASS;
    if (of_class === NO_CLASS) return;
    const day = block.day[slot]!;
    const on_axis = this.axis.holds(block, slot);
    if (!on_axis) this.#held.scratch.by_day[(day << DAY_SHIFT) | of_class]! -= 1;
    else if (of_class === OTHER_CLASS) this.axis.addOther(day, this.#classOf(block.kind[slot]!));
    if ((mark & LOOK) !== 0) this.#seek(block, slot, in_time, on_axis);
  }

  #seek(block: Block, slot: number, in_time: boolean, on_axis: boolean): void {
    const kind = block.kind[slot]!;
    const day = block.day[slot]!;
    const version = this.#held.kinds.version[kind]!;
    if (on_axis && day <= this.versions.days[version]!) this.versions.take(version, block, slot);
    if (this.#slots === null || !in_time) return;
    const watched = this.#slots[this.#held.kinds.signature[kind]!]!;
    if (day >= this.newest.days[watched]!) this.newest.take(watched, block, slot);
  }

  #extendLater(block: Block): void {
    const { placed } = this.#held.rows;
    const index = placed.all.indexOf(block);
    this.positions.extendLater(block, block.first, placed.endOf(index));
  }

  readonly #isAtCell = (block: Block, slot: number): boolean =>
    (this.#held.scratch.marks[block.kind[slot]!]! & OFF_CELL) === 0 &&
    this.#time.holdsRow(this.#held.rows, block, slot);

  #classOf(kind: number): number {
    return this.#held.bases.codes.failure_class[this.#held.kinds.base[kind]!]!;
  }
}
