import type { FoldLimits, IndexFold } from './answers';
import { FacetTally } from './facet-tally';
import { markForFold } from './fold-marks';
import { largest } from './largest';
import { NewestOfSignatures, WATCHED } from './newest-of-signatures';
import type { IndexQuery } from './query';
import { RowTally } from './row-tally';
import { type Held, Scan } from './scan';

/** Everything that the triage page counts. Without conditions on rows the facets come from the counts of kinds alone. */
export function foldMatching(held: Held, query: IndexQuery, limits: FoldLimits): IndexFold {
  const scan = new Scan(held, query);
  const facets = new FacetTally(held, scan.failed, query.true_positions);
  const tally = new RowTally(held, query, scan.time);
  if (scan.selection.everything && scan.time.unbounded) foldAll(held, query, limits, scan, facets, tally);
  else foldSelected(held, query, scan, facets, tally);
  if (!scan.selection.by_place && !query.true_positions && held.rows.elsewhere.size > 0)
    scan.selection.eachOf(scan.elsewhere(), (block, slots, count) => tally.visitPositions(block, slots, count));
  return {
    total: facets.total,
    depth: held.kinds.unresolved,
    facets: facets.facets(limits),
    not_mapped: facets.notMapped(),
    ...tally.answers(limits.versions),
    signatures: describe(held, query, scan, tally, facets.topSignatures(limits.signatures)),
  };
}

function foldAll(held: Held, query: IndexQuery, limits: FoldLimits, scan: Scan, facets: FacetTally, tally: RowTally) {
  const { kinds } = held;
  scan.failed.decide(null, kinds.size);
  facets.add(null, kinds.size, kinds.count, false);
  tally.newest.watch(facets.topSignatures(limits.signatures).map(({ code }) => code));
  markForFold(held, null, kinds.size, {
    true_positions: query.true_positions,
    elsewhere: false,
    signature_slots: tally.newest.slots(),
  });
  scan.selection.each((block, slots, count) => tally.visit(block, slots, count, false));
  tally.settle();
}

/** Which signatures are the largest is known only after the rows; those that probably are, are watched. */
function foldSelected(held: Held, query: IndexQuery, scan: Scan, facets: FacetTally, tally: RowTally) {
  const { scratch } = held;
  scan.run({
    decided: (list, count, elsewhere) => {
      if (list === null) tally.newest.watch(probablyLargest(held));
      const signature_slots = tally.newest.slots();
      markForFold(held, list, count, { true_positions: query.true_positions, elsewhere, signature_slots });
    },
    visit: (block, slots, count) => tally.visit(block, slots, count, true),
    done: (list, count) => {
      facets.add(list, count, scratch.counts, true);
      tally.settle();
    },
  });
}

/** The signatures with the most entries, were there no conditions on rows. */
function probablyLargest({ kinds, signatures, scratch }: Held): number[] {
  const counts = new Uint32Array(signatures.size);
  for (let kind = 0; kind < kinds.size; kind += 1)
    if (scratch.failed[kind] === 0) counts[kinds.signature[kind]!]! += kinds.count[kind]!;
  return largest(counts, signatures, WATCHED).codes.map(({ code }) => code);
}

function describe(
  held: Held,
  query: IndexQuery,
  scan: Scan,
  tally: RowTally,
  top: readonly { code: number; count: number }[],
): IndexFold['signatures'] {
  const watchers = [tally.newest];
  const unwatched = top.filter(({ code }) => !tally.newest.isWatched(code)).map(({ code }) => code);
  for (let from = 0; from < unwatched.length; from += WATCHED) {
    const newest = new NewestOfSignatures(held, !query.true_positions);
    newest.watch(unwatched.slice(from, from + WATCHED));
    watchers.push(newest);
    const signature_slots = newest.slots();
    scan.run({
      decided: (list, count, elsewhere) =>
        markForFold(held, list, count, { true_positions: query.true_positions, elsewhere, signature_slots }),
      visit: (block, slots, count) => tally.visitNewest(newest, block, slots, count),
    });
  }
  return top.map(({ code, count }) => ({
    signature: held.signatures.textOf(code)!,
    count,
    ...watchers.find((newest) => newest.isWatched(code))!.of(code),
  }));
}
