import type { Fault } from '@/lib/contract/entry';
import type { LonLat } from '@/lib/crs/sphere';
import { type Tables, vertexRuns } from './evidence-shape';
import { nearestLon } from './geodesy';

/**
 * Where faults, found at `at` in source units, lie on the map. Reprojection keeps vertices and their order, so the
 * nearest segment of the source and the way along it are carried over to the same segment in EPSG:4326; between two
 * vertices that is off by the curvature of the projection alone. Where the two do not match vertex by vertex (the
 * reprojected one was split at 180°, a curve was made of lines) `toLonLat` is asked. Null where a fault has no place.
 */
export function faultPlaces(
  faults: readonly Fault[],
  source: Tables,
  reprojected: Tables,
  reference: number,
  toLonLat: ((place: LonLat) => LonLat | null) | null = null,
): (LonLat | null)[] {
  const from = vertexRuns(source);
  const to = vertexRuns(reprojected);
  const matching =
    from.length === to.length && from.every((run, i) => run.positions.length === to[i]!.positions.length);
  if (!matching)
    return faults.map(({ at }) => {
      const place = at && toLonLat?.(at);
      return place ? [nearestLon(place[0], reference), place[1]] : null;
    });
  return faults.map((fault) => {
    if (!fault.at) return null;
    const [x, y] = fault.at;
    let best = Number.POSITIVE_INFINITY;
    let place: LonLat | null = null;
    from.forEach((run, r) => {
      run.positions.forEach((a, i) => {
        const next = Math.min(i + 1, run.positions.length - 1);
        const b = run.positions[next]!;
        const length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2;
        const along = length > 0 ? ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / length : 0;
        const t = Math.min(1, Math.max(0, along));
        const distance = Math.hypot(a[0] + t * (b[0] - a[0]) - x, a[1] + t * (b[1] - a[1]) - y);
        if (!(distance < best)) return;
        const p = to[r]!.positions[i]!;
        const q = to[r]!.positions[next]!;
        const lon = nearestLon(p[0], reference);
        const mapped: LonLat = [lon + t * (nearestLon(q[0], lon) - lon), p[1] + t * (q[1] - p[1])];
        if (!Number.isFinite(mapped[0]) || !Number.isFinite(mapped[1])) return;
        best = distance;
        place = mapped;
      });
    });
    return place;
  });
}
