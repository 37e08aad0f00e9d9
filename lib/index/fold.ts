import type { FoldLimits, IndexFold } from './answers';
import { FacetTally } from './facet-tally';
import { CLASS, LOOK, markForFold } from './fold-marks';
import { largest } from './largest';
import { NewestOfSignatures, WATCHED } from './newest-of-signatures';
import type { IndexQuery } from './query';
import { RowTally } from './row-tally';
import { type Held, Scan } from './scan';
import { NO_CLASS } from './time-axis';
import { TimeBounds } from './time-bounds';

/** Where fewer match, it is quicker to pass the others over than to count them as nothing. */
const FEW = 0.05;

/** Everything that the triage page counts. Without conditions on rows the facets come from the counts of kinds alone. */
export function foldMatching(held: Held, query: IndexQuery, limits: FoldLimits): IndexFold {
  return new Fold(held, query, limits).answer();
}

class Fold {
  readonly #held: Held;
  readonly #query: IndexQuery;
  readonly #limits: FoldLimits;
  readonly #scan: Scan;
  readonly #facets: FacetTally;
  readonly #tally: RowTally;
  /** Of the pass over all kinds, where there was one. */
  #bounds: TimeBounds | null = null;

  constructor(held: Held, query: IndexQuery, limits: FoldLimits) {
    this.#held = held;
    this.#query = query;
    this.#limits = limits;
    this.#scan = new Scan(held, query);
    this.#facets = new FacetTally(held, this.#scan.failed, query.true_positions);
    this.#tally = new RowTally(held, query, this.#scan.time);
  }

  answer(): IndexFold {
    const { selection, time } = this.#scan;
    const { rows, kinds } = this.#held;
    if (selection.everything && time.unbounded) this.#foldAll();
    else this.#foldSelected();
    if (!selection.by_place && !this.#query.true_positions && rows.elsewhere.size > 0)
      selection.eachOf(this.#scan.elsewhere(), (block, slots, count) =>
        this.#tally.visitPositions(block, slots, count),
      );
    const signatures = this.#signatures();
    return {
      total: this.#facets.total,
      depth: kinds.unresolved,
      facets: this.#facets.facets(this.#limits),
      not_mapped: this.#facets.notMapped(),
      ...this.#tally.answers(this.#limits.versions),
      signatures,
    };
  }

  #foldAll(): void {
    const { kinds, rows } = this.#held;
    this.#scan.failed.decide(null, kinds.size);
    this.#facets.add(null, kinds.size, false);
    this.#mark(null, kinds.size, false);
    this.#watch(this.#facets.topSignatures(this.#limits.signatures).map(({ code }) => code));
    const few = this.#facets.total < rows.size * FEW;
    this.#scan.selection.each((block, slots, count) => {
      if (few) this.#tally.visitSome(block, slots, count, false);
      else this.#tally.whole.visit(block);
    });
    this.#tally.settle();
  }

  #foldSelected(): void {
    this.#scan.run({
      decided: (list, count, elsewhere) => {
        this.#mark(list, count, elsewhere);
        // of few rows all are looked at; else the signatures that probably are the largest, are watched, if the bounds of
        // kinds can tell where their newest lie
        if (list === null) this.#watch(this.#scan.time.open_ended ? this.#probablyLargest() : []);
      },
      visit: (block, slots, count) => {
        if (slots !== null || block.id === 0) this.#tally.visitSome(block, slots, count, true);
        else if (this.#scan.time.unbounded) this.#tally.whole.visitCounted(block);
        else this.#tally.whole.visitInTime(block);
      },
      done: (list, count) => {
        this.#facets.add(list, count, true);
        this.#tally.settle();
      },
    });
  }

  #watch(codes: readonly number[]): void {
    const { newest } = this.#tally;
    newest.watch(codes);
    this.#tally.watch(newest);
    this.#bounds = new TimeBounds(this.#held, this.#scan.time, !this.#query.true_positions);
    this.#bounds.look(newest);
  }

  #mark(list: Uint32Array | null, count: number, elsewhere: boolean): void {
    const { true_positions } = this.#query;
    markForFold(this.#held, list, count, { true_positions, elsewhere });
  }

  #signatures(): IndexFold['signatures'] {
    const { kinds, rows } = this.#held;
    const { newest } = this.#tally;
    const top = this.#facets.topSignatures(this.#limits.signatures);
    const missed = new Set(this.#bounds?.missedSignatures(newest) ?? []);
    const left = top.filter(({ code }) => !newest.isWatched(code) || missed.has(code)).map(({ code }) => code);
    const versions = this.#bounds?.missedVersions(this.#tally.versions, this.#tally.axis.end_us) ?? [];
    // with all rows selected, only bounds that are not tight can be missed
    if (missed.size + versions.length > 0 && this.#scan.selection.everything && this.#scan.time.unbounded)
      kinds.tighten(rows);
    const watchers = [newest];
    for (let from = 0; from === 0 ? left.length + versions.length > 0 : from < left.length; from += WATCHED) {
      const again = new NewestOfSignatures(this.#held, !this.#query.true_positions);
      again.watch(left.slice(from, from + WATCHED));
      this.#seek(again, versions);
      watchers.unshift(again);
    }
    return top.map(({ code, count }) => ({
      signature: this.#held.signatures.textOf(code)!,
      count,
      ...watchers.find((one) => one.isWatched(code))!.of(code),
    }));
  }

  /** Looks through all rows of these signatures and versions. */
  #seek(newest: NewestOfSignatures, versions: readonly number[]): void {
    const { kinds, scratch } = this.#held;
    const slots = newest.slots();
    const sought = new Uint8Array(this.#held.versions.size);
    for (const code of versions) sought[code] = 1;
    this.#tally.watch(newest);
    this.#scan.run({
      decided: (list, count) => {
        for (let i = 0; i < count; i += 1) {
          const kind = list === null ? i : list[i]!;
          const looked = sought[kinds.version[kind]!] === 1 || (slots !== null && slots[kinds.signature[kind]!] !== 0);
          scratch.marks[kind] = looked && scratch.failed[kind] === 0 ? LOOK : 0;
        }
      },
      visit: (block, some, count) => this.#tally.visitLooked(block, some, count),
    });
  }

  /** The signatures with the most entries in kinds that can have some in the time range. */
  #probablyLargest(): number[] {
    const { kinds, signatures, scratch } = this.#held;
    const { marks } = scratch;
    const { signature, count, first_second, last_second, size } = kinds;
    const { since_second, until_second } = this.#scan.time;
    const [class_bits, no_class] = [CLASS, NO_CLASS];
    const counts = new Uint32Array(signatures.size);
    for (let kind = 0; kind < size; kind += 1) {
      if ((marks[kind]! & class_bits) === no_class) continue;
      if (last_second[kind]! >= since_second && first_second[kind]! <= until_second)
        counts[signature[kind]!]! += count[kind]!;
    }
    return largest(counts, signatures, WATCHED).codes.map(({ code }) => code);
  }
}
