import { Block } from './block';
import { type Dictionaries, FailedConditions } from './failed-conditions';
import type { IndexQuery } from './query';
import type { Rows } from './rows';
import { type CellRange, Selection, type Visit } from './selection';
import { TimeRange } from './time-range';

export interface Held extends Dictionaries {
  rows: Rows;
  scratch: Scratch;
}

/** Arrays by kind that every query writes anew and none keeps. */
export class Scratch {
  failed = new Uint16Array(0);
  marks = new Uint8Array(0);
  /** Rows of a kind: the lowest 8 bits alone, so that the table fits the second cache, and what they carried. */
  counts = new Uint8Array(0);
  carried = new Uint32Array(0);
  /** Kinds whose times are a bound of what is sought: see time-bounds.ts. */
  bounding = new Uint32Array(0);
  list = new Uint32Array(0);

  /** Rows by day × 16 + slot of class: for every day that there is, so that a loop need not ask. */
  readonly by_day = new Uint32Array(2 ** 16 * 16);
  readonly slots = new Uint16Array(2 ** 16);

  /** Makes room for this many kinds. `counts` and `carried` hold zeros, and have to be left so. */
  fit(kinds: number): void {
    if (this.failed.length >= kinds) return;
    const length = Math.ceil(kinds * 1.125);
    this.failed = new Uint16Array(length);
    this.marks = new Uint8Array(length);
    this.counts = new Uint8Array(length);
    this.carried = new Uint32Array(length);
    this.bounding = new Uint32Array(length);
  }

  countRow(kind: number): void {
    const n = this.counts[kind]! + 1;
    this.counts[kind] = n;
    if (n > 255) this.carried[kind]! += 256;
  }

  get bytes(): number {
    return this.failed.length * 12 + this.list.byteLength;
  }
}

/** What is done on the way through the rows. Kinds come as the first `count` of a list, with repeats, or as all of them. */
export interface Pass {
  /** Before the rows: these kinds have been decided. `elsewhere`: the rows will be those of the second time. */
  decided(list: Uint32Array | null, count: number, elsewhere: boolean): void;
  visit: Visit;
  done?(list: Uint32Array | null, count: number): void;
}

/**
 * A query's way over the rows that its conditions on place and entries select. Before rows are visited, their kinds are
 * decided: all kinds at once, or, where few rows are looked at, those of these rows alone.
 */
export class Scan {
  readonly selection: Selection;
  readonly time: TimeRange;
  readonly failed: FailedConditions;
  readonly #held: Held;
  readonly #query: IndexQuery;

  constructor(held: Held, query: IndexQuery, range: CellRange | null = null) {
    this.#held = held;
    this.#query = query;
    this.selection = new Selection(held.rows, query, range);
    this.time = new TimeRange(query);
    held.scratch.fit(held.kinds.size);
    this.failed = new FailedConditions(held, query, held.scratch.failed);
  }

  /**
   * Goes through the rows that are selected. Where positions count and some of a viewer's are not the cells of the columns,
   * a second time, through those rows, in a block that holds the cells which are shown.
   */
  run(pass: Pass): void {
    const { selection, failed } = this;
    const { rows, kinds } = this.#held;
    if (selection.by_place) failed.onlyShownAtCell(true);
    const few = selection.candidates() * 4 <= kinds.size;
    this.#go(pass, (visit) => selection.each(visit), few, false);
    if (!selection.by_place || this.#query.true_positions || rows.elsewhere.size === 0) return;
    const block = this.elsewhere();
    failed.onlyShownAtCell(false);
    this.#go(pass, (visit) => selection.eachOf(block, visit), true, true);
  }

  /** The rows that a viewer sees at another cell than their own, at that cell. */
  elsewhere(): Block {
    const { rows } = this.#held;
    const block = new Block(0, 0, rows.elsewhere.size);
    for (const [entry_id, cell] of rows.elsewhere) {
      const location = rows.locate(entry_id);
      block.copy(rows.blockOf(location), location & 0xffff, block.size);
      block.place(block.size, cell);
      block.size += 1;
    }
    return block;
  }

  #go(pass: Pass, each: (visit: Visit) => void, few: boolean, elsewhere: boolean): void {
    const list = few ? this.#kindsOf(each) : null;
    const count = list?.length ?? this.#held.kinds.size;
    this.failed.decide(list, count);
    pass.decided(list, count, elsewhere);
    each(pass.visit);
    pass.done?.(list, count);
  }

  #kindsOf(each: (visit: Visit) => void): Uint32Array {
    const { scratch } = this.#held;
    let found = 0;
    each((block, slots, count) => {
      if (scratch.list.length < found + count) {
        const longer = new Uint32Array(2 * (found + count));
        longer.set(scratch.list.subarray(0, found));
        scratch.list = longer;
      }
      const { kind } = block;
      for (let i = 0; i < count; i += 1) scratch.list[found++] = kind[slots === null ? i : slots[i]!]!;
    });
    return scratch.list.subarray(0, found);
  }
}
