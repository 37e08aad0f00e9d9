import type { Instant } from './answers';
import { isUnresolved, UNUSED } from './flags';
import { IdPages } from './id-pages';
import { axisSecondOf, isBeforeAxis } from './instants';
import type { Rows } from './rows';

const NO_SECOND = 2 ** 32 - 1;

/**
 * The kinds of entries that occur: each distinct (combo, flags), by number from 1. A condition on columns is decided once
 * per kind, and an entry costs one look-up. The kinds of a combo are a chain; one that no entry has any more is taken for
 * the next new kind of its combo. A combo lives in its first kind: 8 to 33 bytes each, however many there are.
 */
export class Kinds {
  base = new Uint32Array(1024);
  version = new Uint32Array(1024);
  signature = new Uint32Array(1024);
  flags = new Uint8Array(1024).fill(UNUSED);
  /** Entries of the kind. */
  count = new Uint32Array(1024);
  /** Bounds of its entries' times (`axisSecondOf`): on the time axis none is earlier, and none is later. Not always tight. */
  first_second = new Uint32Array(1024).fill(NO_SECOND);
  last_second = new Uint32Array(1024);
  #next = new Uint32Array(1024);
  readonly #first = new IdPages();
  #size = 1;
  #combos = 0;
  #unresolved = 0;

  /** One more than the largest kind; kind 0 is none. */
  get size(): number {
    return this.#size;
  }

  get combos(): number {
    return this.#combos;
  }

  /** Entries that are not resolved. */
  get unresolved(): number {
    return this.#unresolved;
  }

  hasCombo(combo: number): boolean {
    return this.#first.get(combo) !== 0;
  }

  /** A combo that is there is left as it is. */
  addCombo(combo: number, base: number, version: number, signature: number): void {
    if (this.hasCombo(combo)) return;
    this.#first.set(combo, this.#make(base, version, signature, UNUSED));
    this.#combos += 1;
  }

  /** The kind of one more entry of the combo. @throws RangeError for a combo that was not added. */
  enter(combo: number, flags: number, failed_at: Instant): number {
    const kind = this.#find(combo, flags);
    this.#span(kind, failed_at);
    this.count[kind]! += 1;
    if (isUnresolved(flags)) this.#unresolved += 1;
    return kind;
  }

  /** One entry of the kind less. */
  leave(kind: number): void {
    this.count[kind]! -= 1;
    if (this.count[kind] === 0) this.#unspan(kind);
    if (isUnresolved(this.flags[kind]!)) this.#unresolved -= 1;
  }

  /** Makes the bounds of times tight. */
  tighten(rows: Rows): void {
    this.first_second.fill(NO_SECOND);
    this.last_second.fill(0);
    for (const block of rows.blocks())
      for (let slot = 0; slot < block.size; slot += 1) this.#span(block.kind[slot]!, rows.instantAt(block, slot));
  }

  /** Number of kinds that have an entry. */
  occurring(): number {
    let kinds = 0;
    for (let kind = 1; kind < this.#size; kind += 1) if (this.count[kind] !== 0) kinds += 1;
    return kinds;
  }

  get bytes(): number {
    return this.#first.bytes + this.base.length * 29;
  }

  #span(kind: number, failed_at: Instant): void {
    const second = axisSecondOf(failed_at);
    if (second < this.first_second[kind]! && !isBeforeAxis(failed_at)) this.first_second[kind] = second;
    if (second > this.last_second[kind]!) this.last_second[kind] = second;
  }

  #unspan(kind: number): void {
    this.first_second[kind] = NO_SECOND;
    this.last_second[kind] = 0;
  }

  #find(combo: number, flags: number): number {
    const first = this.#first.get(combo);
    if (first === 0) throw new RangeError(`combo ${combo} was not added`);
    let free = 0;
    for (let kind = first; kind !== 0; kind = this.#next[kind]!) {
      if (this.flags[kind] === flags) return kind;
      if (free === 0 && this.count[kind] === 0) free = kind;
    }
    if (free !== 0) {
      this.flags[free] = flags;
      return free;
    }
    const kind = this.#make(this.base[first]!, this.version[first]!, this.signature[first]!, flags);
    this.#next[kind] = this.#next[first]!;
    this.#next[first] = kind;
    return kind;
  }

  #make(base: number, version: number, signature: number, flags: number): number {
    const kind = this.#size;
    if (kind === this.base.length) this.#grow();
    this.#size += 1;
    this.base[kind] = base;
    this.version[kind] = version;
    this.signature[kind] = signature;
    this.flags[kind] = flags;
    return kind;
  }

  #grow(): void {
    const length = Math.ceil(this.base.length * 1.25);
    this.base = longer(this.base, length);
    this.version = longer(this.version, length);
    this.signature = longer(this.signature, length);
    this.count = longer(this.count, length);
    this.#next = longer(this.#next, length);
    const flags = new Uint8Array(length).fill(UNUSED);
    flags.set(this.flags);
    this.flags = flags;
    const size = this.first_second.length;
    this.first_second = longer(this.first_second, length).fill(NO_SECOND, size);
    this.last_second = longer(this.last_second, length);
  }
}

function longer(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(array);
  return copy;
}
