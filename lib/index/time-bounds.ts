import { axisSecondOf } from './instants';
import type { NewestOfSignatures } from './newest-of-signatures';
import type { Held } from './scan';
import type { TimeRange } from './time-range';
import type { VersionFirsts } from './version-firsts';

/**
 * The seconds (`axisSecondOf`) in which each version's first and each watched signature's newest entry lie, as far as the
 * bounds of the kinds tell: rows of the few kinds whose bound that is are looked at, the others are not. Where a bound was
 * not tight, none of them is found in that second, and the version or signature is `missed`.
 */
export class TimeBounds {
  readonly version_first: Float64Array;
  /** By slot of the watched signatures: of all entries, and of those that all may read. */
  readonly newest: Float64Array;
  readonly readable: Float64Array;
  readonly slots: Uint16Array;
  /** No newest entry is looked for in a later second. */
  readonly until: number;
  readonly #since: number;

  /** @param list the first `count` are the kinds that match. */
  constructor(held: Held, list: Uint32Array, count: number, watched: NewestOfSignatures, time: TimeRange) {
    const { kinds, bases } = held;
    const { base, version, signature, first_second, last_second } = kinds;
    this.#since = time.since_second;
    this.until = time.until_second;
    this.version_first = new Float64Array(held.versions.size).fill(Number.POSITIVE_INFINITY);
    this.slots = watched.slots() ?? new Uint16Array(held.signatures.size);
    this.newest = new Float64Array(watched.days.length).fill(-1);
    this.readable = new Float64Array(watched.days.length).fill(-1);
    // of what is not watched or has no version: no second equals it
    this.newest[0] = Number.NaN;
    this.readable[0] = Number.NaN;
    const { version_first, newest, readable, slots, until } = this;
    const sensitive = Uint8Array.from(bases.sensitive, Number);
    for (let i = 0; i < count; i += 1) {
      const kind = list[i]!;
      const of_version = version[kind]!;
      if (first_second[kind]! < version_first[of_version]!) version_first[of_version] = first_second[kind]!;
      const slot = slots[signature[kind]!]!;
      const last = Math.min(last_second[kind]!, until);
      if (last > newest[slot]!) newest[slot] = last;
      if (last > readable[slot]! && sensitive[base[kind]!] === 0) readable[slot] = last;
    }
    version_first[0] = Number.NaN;
  }

  /** @param end_us where the time axis ends, microseconds since 1970. */
  missedVersions(firsts: VersionFirsts, end_us: number): number[] {
    const missed: number[] = [];
    const end = axisSecondOf(end_us);
    for (let code = 1; code < this.version_first.length; code += 1) {
      const second = this.version_first[code]!;
      if (second <= end && firsts.secondOf(code) !== second) missed.push(code);
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

  #inTime(second: number): number {
    return second < this.#since ? -1 : second;
  }
}
