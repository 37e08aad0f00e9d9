import type { DayBounds } from './day-bounds';
import { OTHER_BIT } from './failed-conditions';
import { isShownAtCell } from './flags';
import { INDEX_FACETS } from './query';
import type { Held } from './scan';
import { classSlotOf, NO_CLASS, OTHER_CLASS } from './time-axis';

/**
 * What a fold has to know of a row's kind, in 8 bits, so that one look-up in a table that fits the second cache tells it:
 * slot of its class (NO_CLASS: does not match), not at its own cell, counts for some facet, and whether its rows are to be
 * looked at: those of the days that bound the kind's, or all.
 */
export const CLASS = 0b0000_1111;
export const OFF_CELL = 0b0001_0000;
export const LOOK_AT_BOUNDS = 0b0010_0000;
export const COUNTED = 0b0100_0000;
export const LOOK = 0b1000_0000;

const FACETS = 2 ** INDEX_FACETS.length;

export interface Positioned {
  true_positions: boolean;
  /** The rows are at the cells that are shown, whatever their kind says. */
  elsewhere: boolean;
}

/** Marks the decided kinds (the first `count` of a list, or all), to be looked at. Lists those that match in `matching`. */
export function markForFold(held: Held, list: Uint32Array | null, count: number, positioned: Positioned): number {
  const { kinds, bases, scratch } = held;
  const { marks, failed, matching } = scratch;
  const { base, flags } = kinds;
  const classes = Uint8Array.from(bases.codes.failure_class, (code) => classSlotOf(code) | COUNTED | LOOK);
  const off_cell = Uint8Array.from({ length: 256 }, (_, one) =>
    positioned.elsewhere || isShownAtCell(one, positioned.true_positions) ? 0 : OFF_CELL,
  );
  const marks_of_failed = Uint8Array.from(
    { length: 2 * OTHER_BIT },
    (_, bits) => NO_CLASS | OFF_CELL | (bits < FACETS && (bits & (bits - 1)) === 0 ? COUNTED : 0),
  );
  let found = 0;
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    const bits = failed[kind]!;
    marks[kind] = bits === 0 ? classes[base[kind]!]! | off_cell[flags[kind]!]! : marks_of_failed[bits]!;
    matching[found] = kind;
    found += (bits - 1) >>> 31;
  }
  return found;
}

/** Has only those rows of the matching kinds looked at that can be the first of a version or the newest of a signature. */
export function lookAtBounds(held: Held, found: number, bounds: DayBounds): void {
  const { kinds, scratch } = held;
  const { marks, matching } = scratch;
  const { version, signature, first_day, last_day } = kinds;
  const { version_first, newest, readable, slots, until } = bounds;
  for (let i = 0; i < found; i += 1) {
    const kind = matching[i]!;
    const mark = marks[kind]! & ~LOOK;
    const slot = slots[signature[kind]!]!;
    const last = Math.min(last_day[kind]!, until);
    const bound = first_day[kind] === version_first[version[kind]!] || last === newest[slot] || last === readable[slot];
    marks[kind] = mark | (bound ? LOOK_AT_BOUNDS : 0) | ((mark & CLASS) === OTHER_CLASS ? LOOK : 0);
  }
}
