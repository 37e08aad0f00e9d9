import { CIRCULAR_STRING, LINE_STRING, POINT, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import type { FaultList } from './fault-list';
import type { PartNames } from './part-names';

/** Degrees, 0.1 m on the ground: what rounding and a change of datum leave beyond 180° or 90°. */
const DEGREE_TOLERANCE = 1e-6;

/** Looks at every vertex once: degrees beyond the globe, and vertices that say the same as the one before. */
export function findVertexFaults(reading: WkbReading, names: PartNames, found: FaultList, geographic: boolean): void {
  const { coords, parts, part_count } = reading;
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    if (type > LINE_STRING && type !== CIRCULAR_STRING) continue;
    const stride = strideOf(parts[at + DIMS] as number);
    const count = parts[at + COUNT] as number;
    const pathOf = (n: number) => (type === POINT ? names.pathOf(row) : [...names.pathOf(row), n]);
    for (let n = 0, i = parts[at + START] as number; n < count; n++, i += stride) {
      const x = coords[i] as number;
      const y = coords[i + 1] as number;
      if (x * 0 + y * 0 !== 0) continue;
      if (n > 0 && x === coords[i - stride] && y === coords[i - stride + 1] && isRepeated(coords, i, stride))
        found.add('repeated_point', () => ({
          path: pathOf(n),
          at: [x, y],
          message: `vertex ${n} repeats the one before it`,
          severity: 'note',
        }));
      if (!geographic || isOnGlobe(x, y)) continue;
      found.add('out_of_range_vertex', () => ({
        path: pathOf(n),
        at: [x, y],
        message: rangeMessage(x, y),
        severity: 'note',
      }));
    }
  }
}

const isOnGlobe = (x: number, y: number) =>
  Math.abs(x) <= 180 + DEGREE_TOLERANCE && Math.abs(y) <= 90 + DEGREE_TOLERANCE;

function rangeMessage(x: number, y: number): string {
  if (Math.abs(y) > 90 + DEGREE_TOLERANCE) return `the latitude ${y} is beyond 90°`;
  return `the longitude ${x} is beyond 180°${x > 180 && x <= 360 ? ', as where longitudes run from 0° to 360°' : ''}`;
}

/** In Z and M too: a wall's corner, or a track that stands still, is no repetition. */
function isRepeated(coords: Float64Array, i: number, stride: number): boolean {
  for (let extra = 2; extra < stride; extra++)
    if (!Object.is(coords[i + extra], coords[i - stride + extra])) return false;
  return true;
}
