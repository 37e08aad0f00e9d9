import { OTHER_BIT } from './failed-conditions';
import { isShownAtCell } from './flags';
import { INDEX_FACETS } from './query';
import type { Held } from './scan';
import { classSlotOf, NO_CLASS, OTHER_CLASS } from './time-axis';
import type { TimeBounds } from './time-bounds';

/**
 * What a fold has to know of a row's kind, in 8 bits, so that one look-up in a table that fits the second cache tells it:
 * slot of its class (NO_CLASS: does not match), not at its own cell, its rows are to be looked at, counts for some facet.
 */
export const CLASS = 0b000_1111;
export const OFF_CELL = 0b001_0000;
export const LOOK = 0b010_0000;
export const COUNTED = 0b100_0000;

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
  const marks_of_failed = Uint8Array.from({ length: 2 * OTHER_BIT }, (_, bits) =>
    bits === 0 ? 0 : NO_CLASS | OFF_CELL | (bits < FACETS && (bits & (bits - 1)) === 0 ? COUNTED : 0),
  );
  let found = 0;
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    const bits = failed[kind]!;
    const matches = (bits - 1) >>> 31;
    marks[kind] = ((classes[base[kind]!]! | off_cell[flags[kind]!]!) & -matches) | marks_of_failed[bits]!;
    matching[found] = kind;
    found += matches;
  }
  return found;
}

/** Has only the rows of those matching kinds looked at that can have the first of a version or the newest of a signature. */
export function lookAtBounds(held: Held, found: number, bounds: TimeBounds): void {
  const { kinds, scratch } = held;
  const { marks, matching } = scratch;
  const { version, signature, first_second, last_second } = kinds;
  const { version_first, newest, readable, slots, until } = bounds;
  for (let i = 0; i < found; i += 1) {
    const kind = matching[i]!;
    const slot = slots[signature[kind]!]!;
    const last = Math.min(last_second[kind]!, until);
    const mark = marks[kind]!;
    if (first_second[kind] === version_first[version[kind]!] || last === newest[slot] || last === readable[slot])
      continue;
    if ((mark & CLASS) !== OTHER_CLASS) marks[kind] = mark & ~LOOK;
  }
}
