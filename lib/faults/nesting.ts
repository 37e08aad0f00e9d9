import Flatbush from 'flatbush';
import type { EdgeTable, Run } from './edge-table';
import type { FaultList } from './fault-list';
import type { InsideRing } from './inside-ring';
import type { PartNames } from './part-names';
import { scaleFor } from './turn';
import { EXACT_TEST_WORK, type Work } from './work';

/** Fewer rings are looked through one by one. */
const MIN_INDEXED = 24;

/**
 * Holes outside their shell or inside another hole, and parts inside another part. Says nothing about rings that cross
 * other rings: that is a fault already. Answers false where the work was spent before the end.
 */
export function findNesting(
  table: EdgeTable,
  inside: InsideRing,
  names: PartNames,
  found: FaultList,
  work: Work,
  severity: 'fails' | 'note',
): boolean {
  const rings = table.runs.filter((run) => run.is_closed && !run.is_flat);
  const shells = new Map(rings.filter(({ ring }) => ring === 0).map((run) => [run.polygon, run]));
  const around = searchAround(rings, scaleFor(table.largest, table.smallest), work);
  const isIn = (inner: Run, outer: Run) =>
    !(inner.is_crossed && outer.is_crossed) && inside.isInside(inner, outer) === true;
  const report = (code: 'hole_outside_shell' | 'nested_holes', run: Run, message: string) =>
    found.add(code, () => ({ path: names.pathOf(run.row), at: table.at(run.start), message, severity }));

  for (const run of rings) {
    if (work.is_spent) return false;
    const others = around(run);
    if (run.ring > 0) {
      const shell = shells.get(run.polygon);
      if (shell && isOutside(run, shell, inside))
        report('hole_outside_shell', run, `${names.ring(run.row)} lies outside its shell`);
      const outer = others.find((other) => other.polygon === run.polygon && other.ring > 0 && isIn(run, other));
      if (outer)
        report('nested_holes', run, `${names.ring(run.row)} lies inside another hole, ${names.ring(outer.row)}`);
      continue;
    }
    const outer = others.find(
      (other) =>
        other.polygon !== run.polygon &&
        other.ring === 0 &&
        isIn(run, other) &&
        !others.some((hole) => hole.polygon === other.polygon && hole.ring > 0 && isIn(run, hole)),
    );
    if (!outer) continue;
    found.add('nested_shells', () => ({
      path: names.pathOf(run.row),
      at: table.at(insideNode(run, outer, rings, inside)),
      message: `${names.part(run.polygon)} lies inside ${names.part(outer.polygon)}`,
      severity,
    }));
  }
  return true;
}

/** As GEOS: the first or second vertex, whichever lies off the rings of the part around it; else the first. */
function insideNode(run: Run, shell: Run, rings: readonly Run[], inside: InsideRing): number {
  const holes = rings.filter(({ polygon, ring }) => polygon === shell.polygon && ring > 0);
  const isOff = (node: number) =>
    inside.holds(shell, node) === true && holes.every((hole) => inside.holds(hole, node) === false);
  return [run.start, run.start + 1].find(isOff) ?? run.start;
}

function isOutside(hole: Run, shell: Run, inside: InsideRing): boolean {
  if (hole.is_crossed && shell.is_crossed) return false;
  return !covers(shell, hole) || inside.isInside(hole, shell) === false;
}

const covers = (outer: Run, inner: Run) =>
  outer.min_x <= inner.min_x && outer.max_x >= inner.max_x && outer.min_y <= inner.min_y && outer.max_y >= inner.max_y;

/** Finds the rings whose box covers a ring's box, in the order of the bytes. */
function searchAround(rings: readonly Run[], scale: number, work: Work): (run: Run) => Run[] {
  if (rings.length < MIN_INDEXED) return (run) => rings.filter((other) => other !== run && covers(other, run));
  const index = new Flatbush(rings.length);
  for (const run of rings) index.add(run.min_x * scale, run.min_y * scale, run.max_x * scale, run.max_y * scale);
  index.finish();
  return (run) =>
    index
      .search(run.min_x * scale, run.min_y * scale, run.min_x * scale, run.min_y * scale, (n) => {
        work.spend(EXACT_TEST_WORK);
        const other = rings[n] as Run;
        return !work.is_spent && other !== run && covers(other, run);
      })
      .sort((a, b) => a - b)
      .map((n) => rings[n] as Run);
}
