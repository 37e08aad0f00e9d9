import { CIRCULAR_STRING, LINE_STRING, POINT, RING, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import type { Scene } from './scene.model';
import { vertexAt } from './scene-vertex.model';

type LonLat = readonly [number, number];
type Tables = Pick<WkbReading, 'coords' | 'parts' | 'part_count' | 'vertex_count'>;

/**
 * Where a vertex lies on the map: the same vertex of the reprojected geometry where the two have the same parts, for
 * reprojection keeps their order; else by the checked transform. Null where neither tells.
 */
export function vertexOnMap(
  scene: Scene,
  reprojected: Tables | null,
  vertex: number,
  toLonLat: ((place: LonLat) => LonLat | null) | null,
): LonLat | null {
  const at = vertexAt(scene, vertex);
  if (!at || !Number.isFinite(at.x) || !Number.isFinite(at.y)) return null;
  const same =
    reprojected && reprojected.vertex_count === scene.vertex_count && reprojected.part_count === scene.part_count;
  return (same && placeOfVertex(reprojected, vertex)) || (toLonLat?.([at.x, at.y]) ?? null);
}

function placeOfVertex({ coords, parts, part_count }: Tables, vertex: number): LonLat | null {
  let left = vertex;
  for (let at = 0; at < part_count * PART_COLUMNS; at += PART_COLUMNS) {
    const type = parts[at + TYPE];
    if (type !== RING && type !== POINT && type !== LINE_STRING && type !== CIRCULAR_STRING) continue;
    const count = parts[at + COUNT] as number;
    if (left < count) {
      const x = (parts[at + START] as number) + left * strideOf(parts[at + DIMS] as number);
      const place = [coords[x], coords[x + 1]] as [number, number];
      return place.every(Number.isFinite) ? place : null;
    }
    left -= count;
  }
  return null;
}
