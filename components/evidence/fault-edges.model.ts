import { type FaultPlace, touchesAt } from './fault-place.model';
import { S_COUNT, S_START, S_STRIDE, type Scene, STROKE_COLUMNS } from './scene.model';

/** x0, y0, x1, y1 in source units. */
export type Edge = readonly [number, number, number, number];

const CROSSING = new Set(['self_intersection', 'ring_self_touch', 'overlapping_parts']);

/** The edges that meet where a fault crosses or touches itself; none for another fault, or where nothing is found. */
export function faultEdges(scene: Scene | null, place: FaultPlace | undefined): Edge[] {
  if (!scene?.bbox || !place?.at || !CROSSING.has(place.fault.code)) return [];
  const { coords, strokes } = scene;
  return touchesAt(scene, place.at).flatMap(({ stroke, edge, at_vertex }) => {
    const s = stroke * STROKE_COLUMNS;
    const last = (strokes[s + S_COUNT] as number) - 1;
    const edgeFrom = (i: number): Edge[] => {
      if (i < 0 || i >= last) return [];
      const at = (strokes[s + S_START] as number) + i * (strokes[s + S_STRIDE] as number);
      const next = at + (strokes[s + S_STRIDE] as number);
      const found = [coords[at], coords[at + 1], coords[next], coords[next + 1]] as [number, number, number, number];
      return found.every(Number.isFinite) ? [found] : [];
    };
    return at_vertex ? [...edgeFrom(edge - 1), ...edgeFrom(edge)] : edgeFrom(edge);
  });
}
