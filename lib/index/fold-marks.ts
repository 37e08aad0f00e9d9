import { isShownAtCell } from './flags';
import { INDEX_FACETS } from './query';
import type { Held } from './scan';
import { classSlotOf } from './time-axis';

/**
 * What a fold has to know of a row's kind, in 32 bits, so that one look-up tells it:
 * bit 0 counts for some facet, 1 matches, 2 lies at its own cell; 3–6 slot of its class, 7–15 slot of its signature among
 * those that are watched (0 none), 16–31 code of its version.
 */
export const COUNTED = 1;
export const MATCH = 2;
export const AT_CELL = 4;
export const CLASS_SHIFT = 3;
export const CLASS_MASK = 15;
export const SIGNATURE_SHIFT = 7;
export const SIGNATURE_MASK = 511;
export const VERSION_SHIFT = 16;
/** Stands for every version with a code this large or larger. */
export const LARGE_VERSION = 65_535;

const FACETS = 2 ** INDEX_FACETS.length;

export interface MarkOptions {
  true_positions: boolean;
  /** The rows are at the cells that are shown, whatever their kind says. */
  elsewhere: boolean;
  /** By code of signature. */
  signature_slots: Uint16Array | null;
}

/** Marks the decided kinds: the first `count` of a list, or all. */
export function markForFold(held: Held, list: Uint32Array | null, count: number, options: MarkOptions): void {
  const { kinds, bases, scratch } = held;
  const { wide_marks, failed } = scratch;
  const { base, version, signature, flags } = kinds;
  const { signature_slots } = options;
  const classes = Uint8Array.from(bases.codes.failure_class, classSlotOf);
  const at_cell = Uint8Array.from({ length: 256 }, (_, one) =>
    options.elsewhere || isShownAtCell(one, options.true_positions) ? AT_CELL : 0,
  );
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    const bits = failed[kind]!;
    if (bits !== 0) {
      wide_marks[kind] = bits < FACETS && (bits & (bits - 1)) === 0 ? COUNTED : 0;
      continue;
    }
    const slot = signature_slots === null ? 0 : signature_slots[signature[kind]!]!;
    wide_marks[kind] =
      COUNTED |
      MATCH |
      at_cell[flags[kind]!]! |
      (classes[base[kind]!]! << CLASS_SHIFT) |
      (slot << SIGNATURE_SHIFT) |
      (Math.min(version[kind]!, LARGE_VERSION) << VERSION_SHIFT);
  }
}
