import type { IndexFold } from './answers';
import type { Block } from './block';
import {
  AT_CELL,
  CLASS_MASK,
  CLASS_SHIFT,
  LARGE_VERSION,
  MATCH,
  SIGNATURE_MASK,
  SIGNATURE_SHIFT,
  VERSION_SHIFT,
} from './fold-marks';
import { NewestOfSignatures } from './newest-of-signatures';
import { GRID_SHIFT, Positions } from './positions';
import type { IndexQuery } from './query';
import type { Held } from './scan';
import { CLASS_SLOTS, OTHER_CLASS, TimeAxis } from './time-axis';
import type { TimeRange } from './time-range';
import { VersionFirsts } from './version-firsts';

/** What a fold takes from rows: time axis, first of each version, newest of signatures, positions, and counts by kind. */
export class RowTally {
  readonly axis: TimeAxis;
  readonly versions: VersionFirsts;
  readonly newest: NewestOfSignatures;
  readonly positions = new Positions();
  readonly #held: Held;
  readonly #time: TimeRange;

  constructor(held: Held, query: IndexQuery, time: TimeRange) {
    this.#held = held;
    this.#time = time;
    this.axis = new TimeAxis(held.rows, query.now_us, held.scratch.byDay(TimeAxis.countsFor(query.now_us)));
    this.versions = new VersionFirsts(held.rows, held.versions);
    this.newest = new NewestOfSignatures(held, !query.true_positions);
  }

  /** Tallies rows by the marks of their kinds; `counting` counts those in time by kind. */
  visit(block: Block, slots: Uint32Array | null, count: number, counting: boolean): void {
    const { axis, versions, newest, positions } = this;
    const { wide_marks, counts } = this.#held.scratch;
    const { kind, day, hi } = block;
    const { low: since, high: until } = this.#time;
    const { counts: by_day, first_day } = axis;
    const { grid } = positions;
    const first_days = versions.days;
    const last_days = newest.days;
    let { low, high } = axis;
    let at_cell = 0;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      const of_kind = kind[slot]!;
      const mark = wide_marks[of_kind]!;
      if (mark === 0) continue;
      const d = day[slot]!;
      const in_time = (d > since && d < until) || this.#time.holdsRow(this.#held.rows, block, slot);
      if (counting && in_time) counts[of_kind]! += 1;
      if ((mark & MATCH) === 0) continue;
      const between = d > low && d < high;
      if (between || axis.takes(block, slot)) {
        if (!between) ({ low, high } = axis);
        const of_class = (mark >>> CLASS_SHIFT) & CLASS_MASK;
        by_day[(d - first_day) * CLASS_SLOTS + of_class]! += 1;
        if (of_class === OTHER_CLASS) axis.addOther(d, this.#classOf(of_kind));
        let version = mark >>> VERSION_SHIFT;
        if (version === LARGE_VERSION) version = this.#held.kinds.version[of_kind]!;
        if (d <= first_days[version]!) versions.take(version, block, slot);
      }
      if (!in_time) continue;
      const watched = (mark >>> SIGNATURE_SHIFT) & SIGNATURE_MASK;
      if (d >= last_days[watched]!) newest.take(watched, block, slot);
      if ((mark & AT_CELL) !== 0) {
        grid[hi[slot]! >>> GRID_SHIFT]! += 1;
        at_cell += 1;
      }
    }
    if (at_cell > 0) this.#extend(block, slots, count);
  }

  /** Tallies the positions alone of rows whose shown cells the block holds. */
  visitPositions(block: Block, slots: Uint32Array | null, count: number): void {
    const { wide_marks } = this.#held.scratch;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      if ((wide_marks[block.kind[slot]!]! & MATCH) === 0) continue;
      if (!this.#time.holdsRow(this.#held.rows, block, slot)) continue;
      this.positions.grid[block.hi[slot]! >>> GRID_SHIFT]! += 1;
    }
    this.positions.extend(block, slots, count, this.#isIn(MATCH));
  }

  /** Looks for the newest of watched signatures alone. */
  visitNewest(newest: NewestOfSignatures, block: Block, slots: Uint32Array | null, count: number): void {
    const { wide_marks } = this.#held.scratch;
    for (let i = 0; i < count; i += 1) {
      const slot = slots === null ? i : slots[i]!;
      const watched = (wide_marks[block.kind[slot]!]! >>> SIGNATURE_SHIFT) & SIGNATURE_MASK;
      if (watched === 0 || block.day[slot]! < newest.days[watched]!) continue;
      if (this.#time.holdsRow(this.#held.rows, block, slot)) newest.take(watched, block, slot);
    }
  }

  /** Call it while the marks of what was visited still hold. */
  settle(): void {
    this.positions.settle(this.#isIn(AT_CELL));
  }

  answers(versions: number): Pick<IndexFold, 'extent' | 'grid' | 'first_s' | 'last_s' | 'days' | 'versions'> {
    return {
      extent: this.positions.extent,
      grid: this.positions.gridCounts(),
      first_s: this.axis.first_s,
      last_s: this.axis.last_s,
      days: this.axis.days(this.#held.bases),
      versions: this.versions.newest(versions),
    };
  }

  #extend(block: Block, slots: Uint32Array | null, count: number): void {
    const { placed } = this.#held.rows;
    const index = slots === null ? placed.all.indexOf(block) : -1;
    if (index < 0) this.positions.extend(block, slots, count, this.#isIn(AT_CELL));
    else this.positions.extendLater(block, block.first, placed.endOf(index));
  }

  #isIn(bit: number): (block: Block, slot: number) => boolean {
    const { rows, scratch } = this.#held;
    return (block, slot) =>
      (scratch.wide_marks[block.kind[slot]!]! & bit) !== 0 && this.#time.holdsRow(rows, block, slot);
  }

  #classOf(kind: number): number {
    return this.#held.bases.codes.failure_class[this.#held.kinds.base[kind]!]!;
  }
}
