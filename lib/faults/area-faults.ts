import { COUNT, PART_COLUMNS } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import { type Area, ringsOf } from './areas';
import { findCrossings } from './crossings';
import { EdgeIndex } from './edge-index';
import type { EdgeTable, Run } from './edge-table';
import type { FaultList } from './fault-list';
import { InsideRing } from './inside-ring';
import { MeetingFaults } from './meeting-faults';
import { findNesting } from './nesting';
import type { PartNames } from './part-names';
import { findSpikes } from './spikes';
import type { Steps } from './steps';
import { TouchGraph } from './touch-graph';
import { type Turn, turnFor } from './turn';
import type { Work } from './work';

/** Vertices of a closed ring, the closing one counted, below which it encloses nothing. */
const MIN_RING_NODES = 4;

/**
 * Faults of one area: of each ring, between its rings, and between its parts. `table` is only lent, as memory. False
 * where the work was spent before any edges were compared.
 */
export function* findAreaFaults(
  reading: WkbReading,
  area: Area,
  table: EdgeTable,
  names: PartNames,
  found: FaultList,
  work: Work,
): Steps<boolean> {
  const { severity } = area;
  addRings(reading, area, table, names, found);
  yield;
  const turn = turnFor(table.largest, table.smallest, work);
  for (const run of table.runs) findRingFaults(table, run, turn, names, found, severity);
  if (table.runs.length === 0) return true;
  if (work.is_spent) return false;
  yield;
  const index = new EdgeIndex(table);
  yield;
  const touches = new TouchGraph();
  const meetings = new MeetingFaults(table, turn, names, found, touches, work, severity);
  const compared = yield* findCrossings(table, index, turn, meetings, work);
  if (compared < table.node_count) {
    found.stop(
      `stopped after ${work.max} comparisons: the first ${compared} of ${table.node_count} edges were compared with all others, the nesting of rings and what they enclose were not looked at`,
    );
    return true;
  }
  const is_complete = findNesting(table, new InsideRing(table, index, turn, work), names, found, work, severity);
  if (!is_complete)
    found.stop(`stopped after ${work.max} comparisons: not every ring was looked for inside the others`);
  touches.findCycles(table, names, found, severity);
  return true;
}

function addRings(reading: WkbReading, area: Area, table: EdgeTable, names: PartNames, found: FaultList): void {
  table.clear();
  for (const polygon of area.polygons) {
    let ring = 0;
    for (const row of ringsOf(reading, polygon)) {
      const run = table.add(row, polygon, ring++);
      const nodes = run.end - run.start;
      const stored = reading.parts[row * PART_COLUMNS + COUNT] as number;
      // Fewer than four stored ones are the reader's finding.
      if (run.is_closed ? nodes >= MIN_RING_NODES : nodes > 1 && stored >= MIN_RING_NODES) continue;
      if (stored >= MIN_RING_NODES && !run.has_gap && row !== reading.cut_part) {
        const at = table.at(run.start);
        found.add('too_few_points', () => ({
          path: names.pathOf(row),
          at,
          message: `a ring needs 4 vertices unlike the one before them, this has ${nodes}`,
          severity: area.severity,
        }));
      }
      table.dropLast();
    }
  }
}

function findRingFaults(
  table: EdgeTable,
  run: Run,
  turn: Turn,
  names: PartNames,
  found: FaultList,
  severity: Area['severity'],
): void {
  run.is_flat = run.is_closed && isFlat(table, run, turn);
  if (!run.is_flat) {
    findSpikes(table, run, turn, names, found, severity);
    return;
  }
  run.is_tangled = true;
  found.add('zero_area', () => {
    const [at, to] = endsOf(table, run);
    return {
      path: names.pathOf(run.row),
      at,
      to,
      message: `${names.ring(run.row)} encloses nothing: its vertices lie on one line`,
      severity,
    };
  });
}

function isFlat(table: EdgeTable, run: Run, turn: Turn): boolean {
  const from = table.at(run.start);
  const to = table.at(run.start + 1);
  for (let node = run.start + 2; node < run.end - 1; node++)
    if (turn(...from, ...to, ...table.at(node)) !== 0) return false;
  return true;
}

/** The two nodes of a flat ring that lie farthest apart. */
function endsOf(table: EdgeTable, run: Run): [[number, number], [number, number]] {
  const isBefore = (a: readonly number[], b: readonly number[]) =>
    a[0] !== b[0] ? (a[0] as number) < (b[0] as number) : (a[1] as number) < (b[1] as number);
  let low = table.at(run.start);
  let high = low;
  for (let node = run.start + 1; node < run.end; node++) {
    const at = table.at(node);
    if (isBefore(at, low)) low = at;
    if (isBefore(high, at)) high = at;
  }
  return [low, high];
}
