import type { Instant, PageOrder } from './answers';
import type { Block } from './block';
import { canonical, dayOf } from './instants';
import type { Rows } from './rows';
import type { TimeRange } from './time-range';

export interface OrderedRow {
  at: Instant;
  entry_id: number;
  block: Block;
  slot: number;
}

/**
 * The first rows of an order by (failed_at, entry_id). The days that can still hold one of them, `low` to `high`, close in
 * as rows are taken, so that most rows are passed over by their day alone.
 */
export class OrderedRows {
  low: number;
  high: number;
  readonly #rows: Rows;
  readonly #time: TimeRange;
  readonly #descending: boolean;
  readonly #limit: number;
  readonly #after: { at: Instant; entry_id: number } | null;
  #taken: OrderedRow[] = [];
  /** The last of `limit` rows: what comes behind it is not wanted. */
  #last: OrderedRow | null = null;

  constructor(rows: Rows, time: TimeRange, { dir, limit, after }: PageOrder) {
    this.#rows = rows;
    this.#time = time;
    this.#descending = dir === 'desc';
    this.#limit = limit;
    this.#after = after ? { at: canonical(after.failed_at_us), entry_id: after.entry_id } : null;
    this.low = time.low;
    this.high = time.high;
    if (this.#after) this.#closeIn(dayOf(this.#after.at), !this.#descending);
  }

  /** Takes a row whose day lies in `low` … `high`, if it is among the first. */
  take(block: Block, slot: number): void {
    const at = this.#rows.instantAt(block, slot);
    const entry_id = block.entry_id[slot]!;
    if (this.#last && !this.#precedes(at, entry_id, this.#last)) return;
    if (this.#after && !this.#precedes(this.#after.at, this.#after.entry_id, { at, entry_id })) return;
    if (!this.#time.holds(at)) return;
    this.#taken.push({ at, entry_id, block, slot });
    if (this.#taken.length >= Math.max(1024, 2 * this.#limit)) this.#cut();
  }

  /** In order. */
  result(): OrderedRow[] {
    this.#cut();
    return this.#taken;
  }

  #cut(): void {
    this.#taken.sort((a, b) => (this.#precedes(a.at, a.entry_id, b) ? -1 : 1));
    this.#taken.length = Math.min(this.#taken.length, this.#limit);
    if (this.#taken.length < this.#limit || this.#limit === 0) return;
    this.#last = this.#taken[this.#limit - 1]!;
    this.#closeIn(dayOf(this.#last.at), this.#descending);
  }

  #closeIn(day: number, from_below: boolean): void {
    if (from_below) this.low = Math.max(this.low, day);
    else this.high = Math.min(this.high, day);
  }

  #precedes(at: Instant, entry_id: number, other: { at: Instant; entry_id: number }): boolean {
    if (at === other.at) return this.#descending ? entry_id > other.entry_id : entry_id < other.entry_id;
    return this.#descending ? at > other.at : at < other.at;
  }
}
