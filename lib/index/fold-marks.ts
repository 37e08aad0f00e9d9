import { OTHER_BIT } from './failed-conditions';
import { isShownAtCell } from './flags';
import { INDEX_FACETS } from './query';
import type { Held } from './scan';
import { classSlotOf, NO_CLASS, OTHER_CLASS } from './time-axis';

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

/**
 * Marks the decided kinds: the first `count` of a list, all to be looked at where they match; or all kinds, of which only
 * those of a class that has no slot of its own are to be looked at.
 */
export function markForFold(held: Held, list: Uint32Array | null, count: number, positioned: Positioned): void {
  const { kinds, bases, scratch } = held;
  const { marks, failed } = scratch;
  const { base, flags } = kinds;
  const classes = Uint8Array.from(bases.codes.failure_class, (code) => {
    const slot = classSlotOf(code);
    return slot | COUNTED | (list !== null || slot === OTHER_CLASS ? LOOK : 0);
  });
  const off_cell = Uint8Array.from({ length: 256 }, (_, one) =>
    positioned.elsewhere || isShownAtCell(one, positioned.true_positions) ? 0 : OFF_CELL,
  );
  const marks_of_failed = Uint8Array.from({ length: 2 * OTHER_BIT }, (_, bits) =>
    bits === 0 ? 0 : NO_CLASS | OFF_CELL | (bits < FACETS && (bits & (bits - 1)) === 0 ? COUNTED : 0),
  );
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    const bits = failed[kind]!;
    const matches = (bits - 1) >>> 31;
    marks[kind] = ((classes[base[kind]!]! | off_cell[flags[kind]!]!) & -matches) | marks_of_failed[bits]!;
  }
}
