import type { EdgeTable, Run } from './edge-table';
import type { FaultList } from './fault-list';
import type { PartNames } from './part-names';
import { scaleFor, type Turn } from './turn';

/** Below this the two edges at a vertex are nearly one. */
const SPIKE_DEGREES = 1;
const SPIKE_TANGENT = Math.tan((SPIKE_DEGREES * Math.PI) / 180);
/** Below this the angle may be 0, which only the exact predicate knows. */
const NEARLY_ZERO = 1e-9;

/**
 * Vertices at which a line or ring turns back on itself. Where the angle is exactly 0 the two edges lie on each other:
 * in a ring (`flat_severity`) that is a self-intersection.
 */
export function findSpikes(
  table: EdgeTable,
  run: Run,
  turn: Turn,
  names: PartNames,
  found: FaultList,
  flat_severity: 'fails' | 'note',
): void {
  const { xs, ys } = table;
  const scale = scaleFor(table.largest, table.smallest);
  const first = run.ends_meet ? run.start : run.start + 1;
  for (let node = first; node < run.end - 1; node++) {
    const before = node > run.start ? node - 1 : run.end - 2;
    const x = (xs[node] as number) * scale;
    const y = (ys[node] as number) * scale;
    const from_x = (xs[before] as number) * scale - x;
    const from_y = (ys[before] as number) * scale - y;
    const to_x = (xs[node + 1] as number) * scale - x;
    const to_y = (ys[node + 1] as number) * scale - y;
    const dot = from_x * to_x + from_y * to_y;
    const cross = Math.abs(from_x * to_y - from_y * to_x);
    if (!(dot > 0 && cross < SPIKE_TANGENT * dot)) continue;
    const is_flat =
      cross <= NEARLY_ZERO * dot && turn(...table.at(before), ...table.at(node), ...table.at(node + 1)) === 0;
    if (is_flat && flat_severity === 'fails') run.is_tangled = true;
    found.add('spike', () => {
      const vertex = table.vertices[node] as number;
      const degrees = (Math.atan2(cross, dot) * 180) / Math.PI;
      const nearer = Math.hypot(from_x, from_y) <= Math.hypot(to_x, to_y) ? before : node + 1;
      const message = is_flat
        ? `the edges at vertex ${vertex} lie on each other: a spike of 0°`
        : `a spike of ${degrees.toPrecision(2)}° at vertex ${vertex}`;
      return {
        path: [...names.pathOf(run.row), vertex],
        at: table.at(node),
        ...(is_flat ? { to: table.at(nearer) } : {}),
        message,
        severity: is_flat ? flat_severity : 'note',
      };
    });
  }
}
