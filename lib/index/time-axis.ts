import type { IndexFold } from './answers';
import type { Bases } from './bases';
import type { Block } from './block';
import { AXIS_FIRST_DAY, DAY_US, DAYS_TO_1970, dayOf, startOf } from './instants';
import type { Rows } from './rows';
import { compareTexts } from './values';

/** From a day to its counts: a day has 16, one for each slot of a class. */
export const DAY_SHIFT = 4;
/** The slot of rows that do not count, and that of all classes which have none of their own. */
export const NO_CLASS = 15;
export const OTHER_CLASS = 14;

/** The slot of a class by its code (from 1). */
export const classSlotOf = (code: number): number => Math.min(code - 1, OTHER_CLASS);

/**
 * What the histogram counts: failures at a time that a working clock can have said, per day and class. One broken clock
 * (1970, 9999) would press everything else into one bin, so it is counted everywhere but here.
 */
export class TimeAxis {
  /** The day on which the axis ends: of it and of later days, a row has to be looked at. */
  readonly last_day: number;
  /** Microseconds since 1970. */
  readonly end_us: number;
  readonly #rows: Rows;
  readonly #counts: Uint32Array;
  readonly #others = new Map<number, number>();

  /** @param now_us the axis ends a day after it. @param counts by day; what is there before is of no matter. */
  constructor(rows: Rows, now_us: number, counts: Uint32Array) {
    this.#rows = rows;
    this.end_us = now_us + DAY_US;
    this.last_day = dayOf(this.end_us);
    this.#counts = counts;
    counts.fill(0, AXIS_FIRST_DAY << DAY_SHIFT, (this.last_day + 1) << DAY_SHIFT);
  }

  holds(block: Block, slot: number): boolean {
    const day = block.day[slot]!;
    if (day < AXIS_FIRST_DAY || day > this.last_day) return false;
    return day < this.last_day || this.#rows.instantAt(block, slot) < this.end_us;
  }

  /** Counts one of a class that has no slot of its own. */
  addOther(day: number, class_code: number): void {
    const key = day * 2 ** 32 + class_code;
    this.#others.set(key, (this.#others.get(key) ?? 0) + 1);
  }

  /** By day, then class. */
  days(bases: Bases): IndexFold['days'] {
    const days: IndexFold['days'] = [];
    const classes = bases.values.failure_class;
    const add = (day: number, code: number, count: number) =>
      days.push({ day: day - DAYS_TO_1970, failure_class: classes.textOf(code)!, count });
    for (let day = AXIS_FIRST_DAY; day <= this.last_day; day += 1)
      for (let slot = 0; slot < OTHER_CLASS; slot += 1) {
        const count = this.#counts[(day << DAY_SHIFT) | slot]!;
        if (count !== 0) add(day, slot + 1, count);
      }
    for (const [key, count] of this.#others) add(Math.floor(key / 2 ** 32), key % 2 ** 32, count);
    return days.sort((a, b) => a.day - b.day || compareTexts(a.failure_class, b.failure_class));
  }
}

/** Seconds since 1970 at which a day begins. */
export const secondOf = (day: number): number => startOf(day + DAYS_TO_1970) / 1e6;
