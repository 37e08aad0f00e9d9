import type { Bases } from './bases';
import { BASE_FIELDS } from './bases';
import { isReopened, isShownAtCell, stateOf, UNUSED } from './flags';
import type { Kinds } from './kinds';
import { INDEX_FACETS, type IndexFacet, type IndexQuery } from './query';
import { takenBy } from './value-conditions';
import type { Values } from './values';

/** The bit of each facet's condition. */
export const FACET_BITS = Object.fromEntries(INDEX_FACETS.map((facet, i) => [facet, 1 << i])) as Record<
  IndexFacet,
  number
>;
/** Of the conditions on what is no facet. */
export const OTHER_BIT = 1 << INDEX_FACETS.length;

export interface Dictionaries {
  kinds: Kinds;
  bases: Bases;
  versions: Values;
  signatures: Values;
}

/**
 * Which conditions of a query each kind fails, one bit per facet: 0 is a match, and a single bit counts for that facet
 * alone, since a facet is counted without its own condition. The conditions on rows (time, place, ids) are not of these.
 */
export class FailedConditions {
  /** Bits by base, by code of version and signature (null: nothing fails there), and by flags. */
  readonly of_base: Uint16Array;
  readonly of_version: Uint8Array | null;
  readonly of_signature: Uint8Array | null;
  of_flags: Uint16Array;
  /** By kind: what `decide` wrote. */
  readonly of_kind: Uint16Array;
  readonly #dictionaries: Dictionaries;
  readonly #query: IndexQuery;

  /** @param of_kind room for a number per kind; it may hold anything. */
  constructor(dictionaries: Dictionaries, query: IndexQuery, of_kind: Uint16Array) {
    this.#dictionaries = dictionaries;
    this.#query = query;
    this.of_kind = of_kind;
    this.of_base = failedByBase(dictionaries.bases, query);
    this.of_version = takenBy(query.conditions.code_version, dictionaries.versions);
    this.of_signature = takenBy(query.conditions.signature, dictionaries.signatures);
    this.of_flags = failedByFlags(query);
  }

  /** From now on only entries whose position is the cell that the columns hold match; or any again. */
  onlyShownAtCell(only: boolean): void {
    this.of_flags = failedByFlags(this.#query);
    if (!only) return;
    for (let flags = 0; flags < UNUSED; flags += 1)
      if (!isShownAtCell(flags, this.#query.true_positions)) this.of_flags[flags]! |= OTHER_BIT;
  }

  /** Decides these kinds (the first `count` of the list), or all. */
  decide(list: Uint32Array | null, count: number): void {
    const { base, version, signature, flags } = this.#dictionaries.kinds;
    const { of_kind, of_flags, of_base } = this;
    for (let i = 0; i < count; i += 1) {
      const kind = list === null ? i : list[i]!;
      of_kind[kind] = of_flags[flags[kind]!]! | of_base[base[kind]!]!;
    }
    if (this.of_version) addBit(of_kind, list, count, version, this.of_version, FACET_BITS.code_version);
    if (this.of_signature) addBit(of_kind, list, count, signature, this.of_signature, FACET_BITS.signature);
  }
}

function addBit(
  of_kind: Uint16Array,
  list: Uint32Array | null,
  count: number,
  codes: Uint32Array,
  taken: Uint8Array,
  bit: number,
) {
  const failing = Uint16Array.from(taken, (one) => (one === 0 ? bit : 0));
  for (let i = 0; i < count; i += 1) {
    const kind = list === null ? i : list[i]!;
    of_kind[kind]! |= failing[codes[kind]!]!;
  }
}

function failedByBase(bases: Bases, { conditions }: IndexQuery): Uint16Array {
  const failed = new Uint16Array(bases.size);
  for (const field of BASE_FIELDS) {
    const taken = takenBy(conditions[field], bases.values[field]);
    if (!taken) continue;
    const bit = field === 'unmappable_reason' ? OTHER_BIT : FACET_BITS[field];
    const codes = bases.codes[field];
    for (let base = 0; base < failed.length; base += 1) if (taken[codes[base]!] === 0) failed[base]! |= bit;
  }
  const { mappable, sensitive } = conditions;
  const reasons = bases.codes.unmappable_reason;
  for (let base = 0; base < failed.length; base += 1) {
    if (mappable !== undefined && (reasons[base] === 0) !== mappable) failed[base]! |= OTHER_BIT;
    if (sensitive !== undefined && bases.sensitive[base] !== sensitive) failed[base]! |= OTHER_BIT;
  }
  return failed;
}

function failedByFlags({ states, conditions }: IndexQuery): Uint16Array {
  const failed = new Uint16Array(256);
  for (let flags = 0; flags < UNUSED; flags += 1) {
    if (!states.includes(stateOf(flags))) failed[flags]! |= FACET_BITS.state;
    if (conditions.reopened !== undefined && isReopened(flags) !== conditions.reopened) failed[flags]! |= OTHER_BIT;
  }
  failed[UNUSED] = OTHER_BIT;
  return failed;
}
