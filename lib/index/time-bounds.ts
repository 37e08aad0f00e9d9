import { LOOK } from './fold-marks';
import { axisSecondOf } from './instants';
import type { NewestOfSignatures } from './newest-of-signatures';
import type { Held } from './scan';
import type { TimeRange } from './time-range';
import type { VersionFirsts } from './version-firsts';

/**
 * The seconds (`axisSecondOf`) in which each version's first and each signature's newest entry lie, as far as the bounds
 * of the kinds tell: rows of the few kinds whose bound that is are looked at, the others are not. Where a bound was not
 * tight, none of them is found in that second, and the version or signature is `missed`.
 */
export class TimeBounds {
  readonly #held: Held;
  readonly #version_first: Float64Array;
  /** By code of signature: of all entries, and of those that all may read. */
  readonly #newest: Float64Array;
  readonly #readable: Float64Array;
  /** No newest entry is looked for in a later second, and none in an earlier one. */
  readonly #until: number;
  readonly #since: number;
  /** Number of kinds in `scratch.bounding`: those that were a bound when they came, and so all that are one in the end. */
  #bounding = 0;

  /** Of all kinds that match. They have been decided. @param masked whether the asker may not read sensitive entries. */
  constructor(held: Held, time: TimeRange, masked: boolean) {
    this.#held = held;
    this.#since = time.since_second;
    this.#until = time.until_second;
    this.#version_first = new Float64Array(held.versions.size).fill(Number.POSITIVE_INFINITY);
    // entries without a version have no first: no second is before or at it
    this.#version_first[0] = Number.NaN;
    this.#newest = new Float64Array(held.signatures.size).fill(-1);
    this.#readable = new Float64Array(held.signatures.size).fill(-1);
    this.#find(masked);
  }

  #find(masked: boolean): void {
    const { kinds, bases, scratch } = this.#held;
    const { base, version, signature, first_second, last_second, size } = kinds;
    const { failed, bounding } = scratch;
    const [version_first, newest, readable, until] = [this.#version_first, this.#newest, this.#readable, this.#until];
    const sensitive = Uint8Array.from(bases.sensitive, Number);
    let found = 0;
    for (let kind = 0; kind < size; kind += 1) {
      if (failed[kind] !== 0) continue;
      const of_version = version[kind]!;
      const of_signature = signature[kind]!;
      const first = first_second[kind]!;
      const last = Math.min(last_second[kind]!, until);
      let is_bound = 0;
      if (first <= version_first[of_version]!) {
        version_first[of_version] = first;
        is_bound = 1;
      }
      if (last >= newest[of_signature]!) {
        newest[of_signature] = last;
        is_bound = 1;
      }
      if (masked && sensitive[base[kind]!] === 0 && last >= readable[of_signature]!) {
        readable[of_signature] = last;
        is_bound = 1;
      }
      bounding[found] = kind;
      found += is_bound;
    }
    this.#bounding = found;
  }

  /** Has the rows of those kinds looked at that can have the first of a version or the newest of a watched signature. */
  look(watched: NewestOfSignatures): void {
    const { kinds, scratch } = this.#held;
    const { marks, bounding } = scratch;
    const slots = watched.slots() ?? new Uint16Array(this.#newest.length);
    for (let i = 0; i < this.#bounding; i += 1) {
      const kind = bounding[i]!;
      const of_signature = kinds.signature[kind]!;
      const last = Math.min(kinds.last_second[kind]!, this.#until);
      const is_newest = last === this.#newest[of_signature] || last === this.#readable[of_signature];
      const is_first = kinds.first_second[kind] === this.#version_first[kinds.version[kind]!];
      if (is_first || (is_newest && slots[of_signature] !== 0)) marks[kind]! |= LOOK;
    }
  }

  /** @param end_us where the time axis ends, microseconds since 1970. */
  missedVersions(firsts: VersionFirsts, end_us: number): number[] {
    const missed: number[] = [];
    const end = axisSecondOf(end_us);
    for (let code = 1; code < this.#version_first.length; code += 1) {
      const second = this.#version_first[code]!;
      if (second <= end && firsts.secondOf(code) !== second) missed.push(code);
    }
    return missed;
  }

  /** Codes of the watched signatures that were missed. */
  missedSignatures(watched: NewestOfSignatures): number[] {
    return watched
      .codes()
      .filter(
        (code) => !watched.isSettled(code, this.#inTime(this.#newest[code]!), this.#inTime(this.#readable[code]!)),
      );
  }

  #inTime(second: number): number {
    return second < this.#since ? -1 : second;
  }
}
