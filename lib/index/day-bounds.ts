import type { NewestOfSignatures } from './newest-of-signatures';
import type { Held } from './scan';
import type { TimeRange } from './time-range';
import type { VersionFirsts } from './version-firsts';

const NONE = 65_536;
/** Of the slot of what is not watched: no day is that. */
const NEVER = 65_537;

/**
 * The days on which each version's first and each watched signature's newest entry lie, as far as the bounds of the kinds
 * tell: rows of the kinds whose bound that is are looked at, the others are not. Where a bound was not tight, none of them
 * is found on the day, and the version or signature is `missed`.
 */
export class DayBounds {
  readonly version_first: Int32Array;
  /** By slot of the watched signatures: of all entries, and of those that all may read. */
  readonly newest: Int32Array;
  readonly readable: Int32Array;
  readonly slots: Uint16Array;
  /** No newest entry is looked for on a later day. */
  readonly until: number;
  readonly #since: number;

  /** @param list the first `count` are the kinds that match. */
  constructor(held: Held, list: Uint32Array, count: number, watched: NewestOfSignatures, time: TimeRange) {
    const { kinds, bases } = held;
    const { base, version, signature, first_day, last_day } = kinds;
    this.#since = time.low;
    this.until = Math.min(time.high, 65_535);
    this.version_first = new Int32Array(held.versions.size).fill(NONE);
    this.slots = watched.slots() ?? new Uint16Array(held.signatures.size);
    this.newest = new Int32Array(watched.days.length).fill(-1);
    this.readable = new Int32Array(watched.days.length).fill(-1);
    this.newest[0] = NEVER;
    this.readable[0] = NEVER;
    const { version_first, newest, readable, slots, until } = this;
    const sensitive = Uint8Array.from(bases.sensitive, Number);
    for (let i = 0; i < count; i += 1) {
      const kind = list[i]!;
      const of_version = version[kind]!;
      if (first_day[kind]! < version_first[of_version]!) version_first[of_version] = first_day[kind]!;
      const slot = slots[signature[kind]!]!;
      const last = Math.min(last_day[kind]!, until);
      if (last > newest[slot]!) newest[slot] = last;
      if (last > readable[slot]! && sensitive[base[kind]!] === 0) readable[slot] = last;
    }
    version_first[0] = NONE;
  }

  missedVersions(firsts: VersionFirsts, last_day: number): number[] {
    const missed: number[] = [];
    for (let code = 1; code < this.version_first.length; code += 1) {
      const day = this.version_first[code]!;
      if (day <= last_day && firsts.days[code] !== day) missed.push(code);
    }
    return missed;
  }

  /** Codes of the watched signatures that were missed. */
  missedSignatures(watched: NewestOfSignatures): number[] {
    return watched.codes().filter((code) => {
      const slot = this.slots[code]!;
      return !watched.isSettled(slot, this.#inTime(this.newest[slot]!), this.#inTime(this.readable[slot]!));
    });
  }

  #inTime(day: number): number {
    return day < this.#since ? -1 : day;
  }
}
