import type { WkbReading } from '@/lib/wkb/reading';
import { findAreaFaults } from './area-faults';
import { areasOf } from './areas';
import { EdgeTable } from './edge-table';
import { FaultList } from './fault-list';
import type { FaultOptions, FaultReport } from './fault-report';
import { findLineFaults } from './line-faults';
import { PartNames } from './part-names';
import { type Steps, toEnd } from './steps';
import { findVertexFaults } from './vertex-faults';
import { Work } from './work';

const FAULT_DEFAULTS = { geographic: false, max_listed: 100, max_work: 800_000_000 };

/**
 * Everything that is wrong with a geometry as far as its vertices tell, the findings of the reader included
 * (`reading.error` is not among them). Pure; never throws. A fault `fails` where GEOS calls the geometry invalid, and
 * all places are found, not the first alone. Unclosed rings are checked as stored; a vertex that is not finite lifts the
 * pen. Rules: OGC 06-103r4 §6.1.11.1 as GEOS's IsValidOp reads them.
 */
export function findFaults(reading: WkbReading, options: FaultOptions = {}): FaultReport {
  return toEnd(faultSteps(reading, options));
}

/** The same in steps of some 10 ms: 60,000 vertices at random keep a processor busy for seconds. */
export function* faultSteps(reading: WkbReading, options: FaultOptions = {}): Steps<FaultReport> {
  const { geographic, max_listed, max_work } = { ...FAULT_DEFAULTS, ...options };
  const found = new FaultList(reading, max_listed);
  const names = new PartNames(reading);
  const work = new Work(max_work);
  findVertexFaults(reading, names, found, geographic);
  yield;
  findLineFaults(reading, names, found, work);
  yield;
  const table = new EdgeTable(reading);
  let skipped = 0;
  for (const area of areasOf(reading))
    if (!(yield* findAreaFaults(reading, area, table, names, found, work))) skipped += area.polygons.length;
  if (skipped > 0)
    found.stop(`stopped after ${max_work} comparisons: the edges of ${skipped} polygons were not compared at all`);
  return found.close();
}
