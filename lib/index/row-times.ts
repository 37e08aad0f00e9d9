import type { Instant } from './answers';
import type { Block } from './block';
import { canonical, dayOf, isFar, startOf } from './instants';

/** The times of rows: in the columns of blocks, and beside them what lies beyond their days. */
export class RowTimes {
  /** By entry. */
  readonly #far = new Map<number, Instant>();

  /** Microseconds since 1970, in their canonical form. */
  at(block: Block, slot: number): Instant {
    const day = block.day[slot]!;
    if (isFar(day)) return this.#far.get(block.entry_id[slot]!)!;
    return startOf(day) + block.ms[slot]! * 1000 + block.micro[slot]!;
  }

  /** Of a row whose entry is in the column. */
  set(block: Block, slot: number, at: Instant): void {
    const day = dayOf(at);
    block.day[slot] = day;
    if (isFar(day)) {
      block.ms[slot] = 0;
      block.micro[slot] = 0;
      this.#far.set(block.entry_id[slot]!, canonical(at));
      return;
    }
    const rest = Number(at) - startOf(day);
    const ms = Math.floor(rest / 1000);
    block.ms[slot] = ms;
    block.micro[slot] = rest - ms * 1000;
    this.forget(block.entry_id[slot]!);
  }

  /** What is kept beside the columns for the entry. */
  forget(entry_id: number): void {
    if (this.#far.size > 0) this.#far.delete(entry_id);
  }

  /** Number of times beside the columns. */
  get far(): number {
    return this.#far.size;
  }
}
