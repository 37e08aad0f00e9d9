import { STATES } from '../dead-letter/vocabulary';
import type { FacetCounts, FoldLimits, IndexFold } from './answers';
import { BASE_FIELDS } from './bases';
import { FACET_BITS, type FailedConditions, OTHER_BIT } from './failed-conditions';
import { isUnplaced, stateCodeOf } from './flags';
import { facetOf, largest } from './largest';
import type { IndexFacet } from './query';
import type { Held } from './scan';
import { compareTexts, Values } from './values';

/** State codes have three bits, and that of a kind without entries is not among them. */
const STATE_SLOTS = 9;
const NOT_VERSION = ~FACET_BITS.code_version;
const NOT_SIGNATURE = ~FACET_BITS.signature;
const NOT_STATE = ~FACET_BITS.state;
/** Conditions that no facet of a base leaves out. */
const OF_NO_BASE = OTHER_BIT | FACET_BITS.code_version | FACET_BITS.signature | FACET_BITS.state;

const STATE_VALUES = new Values();
for (const state of STATES) STATE_VALUES.add(state);

/** Bits of what a kind counts for: 0 the answer, 1 facets of its base, 2 code_version, 3 state, 4 signature. */
const MATCHES = 1;

/** By the conditions that a kind fails. */
function keepsByFailed(): Uint8Array {
  return Uint8Array.from(
    { length: 2 * OTHER_BIT },
    (_, failed) =>
      (failed === 0 ? MATCHES : 0) |
      ((failed & OF_NO_BASE) === 0 ? 2 : 0) |
      ((failed & NOT_VERSION) === 0 ? 4 : 0) |
      ((failed & NOT_STATE) === 0 ? 8 : 0) |
      ((failed & NOT_SIGNATURE) === 0 ? 16 : 0),
  );
}

/** Folds counts by kind to the total, the facets, each without its own condition, and the reasons of what is not on the map. */
export class FacetTally {
  total = 0;
  /** Matching entries by code of signature. */
  readonly signatures: Uint32Array;
  readonly #held: Held;
  readonly #failed: FailedConditions;
  readonly #true_positions: boolean;
  readonly #bases: Uint32Array;
  readonly #unplaced: Uint32Array;
  readonly #versions: Uint32Array;
  readonly #any_signature: Uint32Array;
  readonly #states = new Uint32Array(STATE_SLOTS);

  constructor(held: Held, failed: FailedConditions, true_positions: boolean) {
    this.#held = held;
    this.#failed = failed;
    this.#true_positions = true_positions;
    this.#bases = new Uint32Array(held.bases.size);
    this.#unplaced = new Uint32Array(held.bases.size);
    this.#versions = new Uint32Array(held.versions.size);
    this.signatures = new Uint32Array(held.signatures.size);
    this.#any_signature = failed.of_signature ? new Uint32Array(held.signatures.size) : this.signatures;
  }

  /**
   * Adds the counts of decided kinds (the first `count` of a list, or all): of all their entries, or of the rows that were
   * counted, whose counts are 0 after.
   */
  add(list: Uint32Array | null, count: number, of_rows: boolean): void {
    const { base, version, signature, flags, count: of_all } = this.#held.kinds;
    const { counts, carried } = this.#held.scratch;
    const failed = this.#failed.of_kind;
    const keeps = keepsByFailed();
    const unplaced_flags = Int32Array.from({ length: 256 }, (_, one) =>
      isUnplaced(one, this.#true_positions) ? -1 : 0,
    );
    // a field is read anew in every turn of a loop
    const [bases, unplaced, versions, states] = [this.#bases, this.#unplaced, this.#versions, this.#states];
    const signatures = this.signatures;
    const any_signature = this.#any_signature;
    // without a condition on signatures the two are one, and nothing may be added twice
    const apart = any_signature !== signatures;
    let total = 0;
    // a third of the kinds failing at random made branches cost more than adding zeros
    for (let i = 0; i < count; i += 1) {
      const kind = list === null ? i : list[i]!;
      const n = of_rows ? counts[kind]! + carried[kind]! : of_all[kind]!;
      if (of_rows) {
        counts[kind] = 0;
        if (n > 255) carried[kind] = 0;
      }
      const keep = keeps[failed[kind]!]!;
      const of_base = base[kind]!;
      const of_flags = flags[kind]!;
      const of_signature = signature[kind]!;
      const matching = n & -(keep & MATCHES);
      bases[of_base]! += n & -((keep >>> 1) & 1);
      versions[version[kind]!]! += n & -((keep >>> 2) & 1);
      states[stateCodeOf(of_flags) + 1]! += n & -((keep >>> 3) & 1);
      signatures[of_signature]! += matching;
      if (apart) any_signature[of_signature]! += n & -((keep >>> 4) & 1);
      unplaced[of_base]! += matching & unplaced_flags[of_flags]!;
      total += matching;
    }
    this.total += total;
  }

  facets({ facet_values }: FoldLimits): Record<IndexFacet, FacetCounts> {
    const { bases, versions, signatures } = this.#held;
    const facets: Partial<Record<IndexFacet, FacetCounts>> = {
      state: facetOf(this.#states, STATE_VALUES, facet_values),
      code_version: facetOf(this.#versions, versions, facet_values),
      signature: facetOf(this.#any_signature, signatures, facet_values),
    };
    for (const field of BASE_FIELDS) {
      if (field === 'unmappable_reason') continue;
      const counts = this.#byCode(bases.codes[field], bases.values[field].size, ~FACET_BITS[field]);
      facets[field] = facetOf(counts, bases.values[field], facet_values);
    }
    return facets as Record<IndexFacet, FacetCounts>;
  }

  /** The largest first, then by signature. */
  topSignatures(limit: number): { code: number; count: number }[] {
    return largest(this.signatures, this.#held.signatures, limit).codes;
  }

  notMapped(): IndexFold['not_mapped'] {
    const { bases } = this.#held;
    const reasons = new Map<string, number>();
    for (let base = 0; base < this.#unplaced.length; base += 1) {
      const count = this.#unplaced[base]!;
      if (count === 0) continue;
      const known = bases.values.unmappable_reason.textOf(bases.codes.unmappable_reason[base]!);
      const reason = known ?? (bases.sensitive[base] ? 'sensitive' : 'not_diagnosed');
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
    return [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || compareTexts(a.reason, b.reason));
  }

  /** Counts of a field's codes over the bases that fail none of these conditions. */
  #byCode(codes: readonly number[], size: number, conditions: number): Uint32Array {
    const counts = new Uint32Array(size);
    const failed = this.#failed.of_base;
    for (let base = 0; base < this.#bases.length; base += 1)
      if ((failed[base]! & conditions) === 0) counts[codes[base]!]! += this.#bases[base]!;
    return counts;
  }
}
