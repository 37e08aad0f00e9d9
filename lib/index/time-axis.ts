import type { IndexFold } from './answers';
import type { Bases } from './bases';
import type { Block } from './block';
import { DAY_US, DAYS_TO_1970, dayOf, isFar } from './instants';
import type { Rows } from './rows';
import { compareTexts } from './values';

/** 2000-01-01, microseconds since 1970. */
const AXIS_START = 946_684_800_000_000;
const FIRST_DAY = dayOf(AXIS_START);
/** Classes counted in a table; the last stands for all the others. */
export const CLASS_SLOTS = 16;
export const OTHER_CLASS = CLASS_SLOTS - 1;

/** The slot of a class by its code (from 1). */
export const classSlotOf = (code: number): number => Math.min(code - 1, OTHER_CLASS);

/**
 * What the histogram counts: failures at a time that a working clock can have said, per day and class. One broken clock
 * (1970, 9999) would press everything else into one bin, so it is counted everywhere but here.
 */
export class TimeAxis {
  /** Days between these two lie on the axis; at and beyond them a row has to be looked at. */
  low = 65_536;
  high = -1;
  readonly first_day = FIRST_DAY;
  /** By (day − first_day) × CLASS_SLOTS + slot. */
  readonly counts: Uint32Array;
  readonly #end: number;
  readonly #rows: Rows;
  readonly #others = new Map<number, number>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param now_us the axis ends a day after it. @param counts room for `countsFor` numbers, all 0; `days` leaves them so. */
  constructor(rows: Rows, now_us: number, counts: Uint32Array) {
    this.#rows = rows;
    this.#end = now_us + DAY_US;
    this.counts = counts;
  }

  static countsFor(now_us: number): number {
    return Math.max(1, dayOf(now_us + DAY_US) - FIRST_DAY + 1) * CLASS_SLOTS;
  }

  /** Looks at a row of a day at or beyond `low` or `high`; whether it is on the axis. */
  takes(block: Block, slot: number): boolean {
    const day = block.day[slot]!;
    if (day < FIRST_DAY || isFar(day)) return false;
    const at = this.#rows.instantAt(block, slot) as number;
    if (at >= this.#end) return false;
    if (at < this.#first) {
      this.#first = at;
      this.low = day;
    }
    if (at > this.#last) {
      this.#last = at;
      this.high = day;
    }
    return true;
  }

  /** Counts one of a class that has no slot of its own. */
  addOther(day: number, class_code: number): void {
    const key = day * 2 ** 32 + class_code;
    this.#others.set(key, (this.#others.get(key) ?? 0) + 1);
  }

  get first_s(): number | null {
    return Number.isFinite(this.#first) ? Math.floor(this.#first / 1e6) : null;
  }

  get last_s(): number | null {
    return Number.isFinite(this.#last) ? Math.floor(this.#last / 1e6) : null;
  }

  /** The counts by day, then class; the counts are 0 afterwards. */
  days(bases: Bases): IndexFold['days'] {
    const days: IndexFold['days'] = [];
    const classes = bases.values.failure_class;
    const add = (day: number, code: number, count: number) =>
      days.push({ day: day - DAYS_TO_1970, failure_class: classes.textOf(code)!, count });
    const end = (this.high - FIRST_DAY + 1) * CLASS_SLOTS;
    for (let i = (this.low - FIRST_DAY) * CLASS_SLOTS; i < end; i += 1) {
      const slot = i % CLASS_SLOTS;
      if (slot !== OTHER_CLASS && this.counts[i] !== 0)
        add((i - slot) / CLASS_SLOTS + FIRST_DAY, slot + 1, this.counts[i]!);
      this.counts[i] = 0;
    }
    for (const [key, count] of this.#others) add(Math.floor(key / 2 ** 32), key % 2 ** 32, count);
    return days.sort((a, b) => a.day - b.day || compareTexts(a.failure_class, b.failure_class));
  }
}
