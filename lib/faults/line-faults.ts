import { CIRCULAR_STRING, COMPOUND_CURVE, CURVE, CURVE_POLYGON, LINE_STRING } from '@/lib/wkb/geometry-type';
import { COUNT, PARENT, PART_COLUMNS, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import { EdgeTable } from './edge-table';
import type { FaultList } from './fault-list';
import type { PartNames } from './part-names';
import { findSpikes } from './spikes';
import { turnFor } from './turn';
import type { Work } from './work';

const NO_LINES_OF_THEIR_OWN = [CURVE_POLYGON, CURVE, COMPOUND_CURVE];

/** Lines without length, and lines that turn back on themselves. A line may cross itself. */
export function findLineFaults(reading: WkbReading, names: PartNames, found: FaultList, work: Work): void {
  const { parts, part_count } = reading;
  const table = new EdgeTable(reading);
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    if ((type !== LINE_STRING && type !== CIRCULAR_STRING) || (parts[at + COUNT] as number) < 2) continue;
    const parent = parts[at + PARENT] as number;
    if (parent >= 0 && NO_LINES_OF_THEIR_OWN.includes(parts[parent * PART_COLUMNS + TYPE] as number)) continue;
    table.clear();
    const run = table.add(row, row, 0);
    if (run.end - run.start === 1 && !run.has_gap && row !== reading.cut_part)
      found.add('zero_length', () => ({
        path: names.pathOf(row),
        at: table.at(run.start),
        message: `a line without length: its ${parts[at + COUNT]} vertices lie at one place`,
        severity: 'fails',
      }));
    if (type === LINE_STRING) {
      // A closed line has no corner where it begins.
      run.ends_meet = false;
      findSpikes(table, run, turnFor(table.largest, table.smallest, work), names, found, 'note');
    }
  }
}
