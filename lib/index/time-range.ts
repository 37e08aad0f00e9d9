import type { Instant } from './answers';
import type { Block } from './block';
import { axisSecondOf, canonical, dayOf } from './instants';
import type { IndexQuery } from './query';
import type { Rows } from './rows';

/**
 * since ≤ failed_at < until. The days between `low` and `high` are in it wholly, those outside not at all; a row of one of
 * the two has to be looked at more closely.
 */
export class TimeRange {
  readonly low: number;
  readonly high: number;
  readonly #since: Instant | null;
  readonly #until: Instant | null;

  constructor({ since_us, until_us }: Pick<IndexQuery, 'since_us' | 'until_us'>) {
    this.#since = since_us === undefined ? null : canonical(since_us);
    this.#until = until_us === undefined ? null : canonical(until_us);
    this.low = this.#since === null ? -1 : dayOf(this.#since);
    this.high = this.#until === null ? 65_536 : dayOf(this.#until);
  }

  /** `axisSecondOf` of a time in the range is not less than this, and not more than that. */
  get since_second(): number {
    return this.#since === null ? 0 : axisSecondOf(this.#since);
  }

  get until_second(): number {
    return axisSecondOf(this.#until ?? Number.POSITIVE_INFINITY);
  }

  get open_ended(): boolean {
    return this.#until === null;
  }

  get unbounded(): boolean {
    return this.#since === null && this.#until === null;
  }

  holds(at: Instant): boolean {
    return (this.#since === null || at >= this.#since) && (this.#until === null || at < this.#until);
  }

  holdsRow(rows: Rows, block: Block, slot: number): boolean {
    const day = block.day[slot]!;
    if (day > this.low && day < this.high) return true;
    if (day < this.low || day > this.high) return false;
    return this.holds(rows.instantAt(block, slot));
  }
}
