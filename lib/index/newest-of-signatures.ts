import type { Instant } from './answers';
import type { Block } from './block';
import { axisSecondOf } from './instants';
import type { Held } from './scan';

interface Newest {
  at: Instant;
  entry_id: number;
  sensitive: boolean;
}

/** Signatures that are watched at once. */
export const WATCHED = 511;

/** The newest entry of each of some signatures, which have slots from 1 on. */
export class NewestOfSignatures {
  /** By slot: rows of earlier days need not be looked at. Slot 0: none. */
  readonly days = new Int32Array(WATCHED + 1).fill(-1);
  readonly #held: Held;
  readonly #masked: boolean;
  readonly #slots = new Map<number, number>();
  readonly #newest: (Newest | undefined)[] = [];
  readonly #readable: (Newest | undefined)[] = [];

  /** @param masked whether the asker may not read sensitive entries. */
  constructor(held: Held, masked: boolean) {
    this.#held = held;
    this.#masked = masked;
    this.days[0] = 65_536;
  }

  /** Begins to watch the signatures, as far as there are slots. */
  watch(signatures: Iterable<number>): void {
    for (const code of signatures) {
      if (this.#slots.size === WATCHED) return;
      this.#slots.set(code, this.#slots.size + 1);
    }
  }

  codes(): number[] {
    return [...this.#slots.keys()];
  }

  /** Slots by code of signature, 0 for one that is not watched; null where none is. */
  slots(): Uint16Array | null {
    if (this.#slots.size === 0) return null;
    const slots = new Uint16Array(this.#held.signatures.size);
    for (const [code, slot] of this.#slots) slots[code] = slot;
    return slots;
  }

  isWatched(code: number): boolean {
    return this.#slots.has(code);
  }

  take(watched: number, block: Block, slot: number): void {
    const { rows, kinds, bases } = this.#held;
    const at = rows.instantAt(block, slot);
    const row = { at, entry_id: block.entry_id[slot]!, sensitive: bases.sensitive[kinds.base[block.kind[slot]!]!]! };
    if (isNewer(row, this.#newest[watched])) this.#newest[watched] = row;
    if (this.#masked && !row.sensitive && isNewer(row, this.#readable[watched])) this.#readable[watched] = row;
    const known = this.#masked ? this.#readable[watched] : this.#newest[watched];
    if (known === row) this.days[watched] = block.day[slot]!;
  }

  /** Whether the newest were found in the seconds in which they can lie at the latest (−1: there is none). */
  isSettled(code: number, newest_second: number, readable_second: number): boolean {
    const slot = this.#slots.get(code)!;
    const in_second = (found: Newest | undefined, second: number) =>
      found ? axisSecondOf(found.at) === second : second < 0;
    return (
      in_second(this.#newest[slot], newest_second) &&
      (!this.#masked || in_second(this.#readable[slot], readable_second))
    );
  }

  /** Its newest failure, and its newest entry that the asker may read, or the newest at all. */
  of(code: number): { failed_at_us: Instant; example_id: number; example_at_us: Instant } {
    const slot = this.#slots.get(code) ?? 0;
    const newest = this.#newest[slot];
    if (!newest) throw new Error('a signature that counts has an entry');
    const example = this.#readable[slot] ?? newest;
    return { failed_at_us: newest.at, example_id: example.entry_id, example_at_us: example.at };
  }
}

/** At the same instant one that all may read is preferred, then the larger id. */
function isNewer(row: Newest, than: Newest | undefined): boolean {
  if (than === undefined || row.at > than.at) return true;
  if (row.at < than.at) return false;
  if (row.sensitive !== than.sensitive) return than.sensitive;
  return row.entry_id > than.entry_id;
}
