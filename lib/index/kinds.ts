import type { Block } from './block';
import { isUnresolved, UNUSED } from './flags';
import { IdPages } from './id-pages';
import { AXIS_FIRST_DAY, EARLIER, LATER } from './instants';

/**
 * The kinds of entries that occur: each distinct (combo, flags), by number from 1. A condition on columns is decided once
 * per kind, and an entry costs one look-up. The kinds of a combo are a chain; one that no entry has any more is taken for
 * the next new kind of its combo. A combo lives in its first kind: 8 to 29 bytes each, however many there are.
 */
export class Kinds {
  base = new Uint32Array(1024);
  version = new Uint32Array(1024);
  signature = new Uint32Array(1024);
  flags = new Uint8Array(1024).fill(UNUSED);
  /** Entries of the kind. */
  count = new Uint32Array(1024);
  /** Bounds of its entries' days: none is earlier (those before the time axis apart), and none later. Not always tight. */
  first_day = new Uint16Array(1024).fill(LATER);
  last_day = new Uint16Array(1024);
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

  /** The kind of one more entry of the combo, failed on the day. @throws RangeError for a combo that was not added. */
  enter(combo: number, flags: number, day: number): number {
    const kind = this.#find(combo, flags);
    this.#span(kind, day);
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

  /** Makes the bounds of days tight. @param blocks all rows. */
  tighten(blocks: Iterable<Block>): void {
    this.first_day.fill(LATER);
    this.last_day.fill(EARLIER);
    for (const { kind, day, size } of blocks) for (let i = 0; i < size; i += 1) this.#span(kind[i]!, day[i]!);
  }

  /** Number of kinds that have an entry. */
  occurring(): number {
    let kinds = 0;
    for (let kind = 1; kind < this.#size; kind += 1) if (this.count[kind] !== 0) kinds += 1;
    return kinds;
  }

  get bytes(): number {
    return this.#first.bytes + this.base.length * 25;
  }

  #span(kind: number, day: number): void {
    if (day < this.first_day[kind]! && day >= AXIS_FIRST_DAY) this.first_day[kind] = day;
    if (day > this.last_day[kind]!) this.last_day[kind] = day;
  }

  #unspan(kind: number): void {
    this.first_day[kind] = LATER;
    this.last_day[kind] = EARLIER;
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
    const first_day = new Uint16Array(length).fill(LATER);
    first_day.set(this.first_day);
    this.first_day = first_day;
    const last_day = new Uint16Array(length);
    last_day.set(this.last_day);
    this.last_day = last_day;
  }
}

function longer(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(array);
  return copy;
}
