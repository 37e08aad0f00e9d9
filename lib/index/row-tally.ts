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
import { WholeBlocks } from './whole-blocks';

/** What a fold takes from rows: time axis, first of each version, newest of signatures, positions, and counts by kind. */
export class RowTally {
  readonly axis: TimeAxis;
  readonly versions: VersionFirsts;
  readonly positions = new Positions();
  /** Where all rows of a block are selected. */
  readonly whole: WholeBlocks;
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
    this.whole = new WholeBlocks(held, time, this.axis, this.positions, (block, slot, mark, in_time) =>
      this.#look(block, slot, mark, in_time),
    );
  }

  watch(newest: NewestOfSignatures): void {
    this.newest = newest;
    this.#slots = newest.slots();
  }

  /** Rows of which few match, or some of a block; `counting` counts those in time by kind. */
  visitSome(block: Block, slots: Uint32Array | null, count: number, counting: boolean): void {
    const { marks, by_day } = this.#held.scratch;
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
      if (counting && in_time) this.#held.scratch.countRow(kind[slot]!);
      if ((mark & class_bits) === no_class) continue;
      const d = day[slot]!;
      by_day[(d << day_shift) | (mark & class_bits)]! += 1;
      if ((mark & look) !== 0 || d >= this.axis.last_day) this.#look(block, slot, mark, in_time);
      if (!in_time || (mark & off_bit) !== 0) continue;
      grid[hi[slot]! >>> grid_shift]! += 1;
      at_cell = true;
    }
    if (!at_cell) return;
    if (slots === null && this.#held.rows.placed.all.includes(block))
      this.positions.extendLater(block, this.#held.rows.placed);
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

  readonly #isAtCell = (block: Block, slot: number): boolean =>
    (this.#held.scratch.marks[block.kind[slot]!]! & OFF_CELL) === 0 &&
    this.#time.holdsRow(this.#held.rows, block, slot);

  #classOf(kind: number): number {
    return this.#held.bases.codes.failure_class[this.#held.kinds.base[kind]!]!;
  }
}
