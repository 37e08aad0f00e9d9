import type { RepairMethod } from '@/lib/contract/repair';
import type { WkbReading } from '@/lib/wkb/reading';
import { countCrossings } from './count-crossings';
import { segmentsOf } from './segments';

/**
 * GEOS 3.11 cannot be interrupted in ST_MakeValid: a ring of 300 vertices that cross 10,000 times took linework over 30 s past
 * any statement_timeout, one of 60,000 random vertices 17 GB of memory. So the effort is judged before it is asked.
 * Vertices and crossings a second, measured on two busy cores: linework 80,000 vertices with 200 crossings 3.8 s, with 1,000
 * 6.1 s, 61 vertices with 1,800 crossings 4.4 s; structure 300,000 vertices 0.6 s, 300 with 10,000 crossings 1.4 s.
 */
const A_SECOND: Record<RepairMethod, { vertices: number; crossings: number }> = {
  linework: { vertices: 28_000, crossings: 400 },
  structure: { vertices: 500_000, crossings: 6_000 },
};

/** Reading and counting them takes the web process half a second. */
export const MOST_VERTICES = 300_000;

/** Why a repair would take longer than `limit_ms`, as far as its vertices and crossings tell; null where it would not. */
export function tooMuchWork(reading: WkbReading, method: RepairMethod, limit_ms: number): string | null {
  const { vertices, crossings } = A_SECOND[method];
  const seconds = limit_ms / 1000;
  const count = reading.vertex_count;
  if (count > Math.min(MOST_VERTICES, seconds * vertices)) return `it has ${count} vertices`;
  const left = Math.floor((seconds - count / vertices) * crossings);
  const found = countCrossings(segmentsOf(reading, true), left);
  if (found === null) return `its ${count} vertices lie too close together to be judged in time`;
  return found > left ? `its lines cross or touch more than ${left} times` : null;
}
