import type { Fault } from '@/lib/contract/entry';
import { edgesThrough, type Touch } from './nearest.model';
import { KIND_POINTS, S_COUNT, S_FIRST, S_KIND, S_ROW, type Scene, STROKE_COLUMNS } from './scene.model';
import { pathWords, rowPath, vertexAt, vertexAtPath } from './scene-vertex.model';

/** A fault as the panes and the table show it: where, in source units and in words, and which vertex it is about. */
export type FaultPlace = {
  fault: Fault;
  /** Finite, or null: then it has no place in the pane. */
  at: [number, number] | null;
  vertex: number | null;
  /** `ring 0, edges 12 × 14`; '' where nothing is known. */
  where: string;
  /** Index of the stroke it lies on, or −1. */
  stroke: number;
};

/** Faults looked up among the edges: beyond, the table says only what the diagnosis itself says. */
const MOST_LOOKED_UP = 60;
/** Vertices times faults: about 0.2 s of looking. */
const MOST_WORK = 60_000_000;

/** Faults of two edges or vertices: the path leads to one of them, the place to both. */
const OF_TWO = new Set(['self_intersection', 'ring_self_touch', 'repeated_point', 'overlapping_parts']);

/** Where each fault lies. The database gives a place without a path; the edges through that place are looked up here. */
export function faultPlaces(scene: Scene | null, faults: readonly Fault[]): FaultPlace[] {
  return faults.map((fault, i) => {
    const bare = { fault, at: fault.at, vertex: null, where: fault.path?.join(' / ') ?? '', stroke: -1 };
    if (!scene) return bare;
    const worth = i < MOST_LOOKED_UP && (i + 1) * scene.vertex_count < MOST_WORK;
    const by_place = fault.at && scene.bbox && worth ? fault.at : null;
    if (!fault.path) return by_place ? byPlace(scene, fault, by_place) : bare;
    const known = byPath(scene, fault, fault.path);
    if (!by_place || !OF_TWO.has(fault.code)) return known;
    const touches = touchesAt(scene, by_place);
    return touches.length < 2 ? known : { ...known, where: touchWords(scene, touches) };
  });
}

function byPath(scene: Scene, fault: Fault, path: readonly number[]): FaultPlace {
  const vertex = vertexAtPath(scene, path);
  const there = vertex === null ? null : vertexAt(scene, vertex);
  const finite = there && Number.isFinite(there.x) && Number.isFinite(there.y) ? there : null;
  const own = path.length > 0 && there !== null && there.path.length === path.length;
  const at = fault.at ?? (own && finite ? ([finite.x, finite.y] as [number, number]) : null);
  return { fault, at, vertex, where: pathWords(scene, path), stroke: there ? strokeOfRow(scene, there.row) : -1 };
}

/** What meets at a place. The last vertex of a ring counts beside its first one. */
export function touchesAt(scene: Scene, at: readonly [number, number]): Touch[] {
  const [x0, y0, x1, y1] = scene.bbox as [number, number, number, number];
  // a crossing is computed in float64: it misses its edges by a few last digits
  const size = Math.max(Math.abs(x0), Math.abs(x1), Math.abs(y0), Math.abs(y1));
  const reach = Math.max(size * 4e-15, Math.max(x1 / 2 - x0 / 2, y1 / 2 - y0 / 2) * 1e-9) || Number.MIN_VALUE;
  return edgesThrough(scene, at[0], at[1], reach, 8);
}

function byPlace(scene: Scene, fault: Fault, at: [number, number]): FaultPlace {
  const touches = touchesAt(scene, at);
  const first = touches[0];
  if (!first) return { fault, at, vertex: null, where: '', stroke: -1 };
  const vertex = (scene.strokes[first.stroke * STROKE_COLUMNS + S_FIRST] as number) + first.edge;
  return { fault, at, vertex, where: touchWords(scene, touches), stroke: first.stroke };
}

/** `ring 0, edges 12 × 14`, `ring 2, vertex 0`, `ring 0, vertex 4 on ring 1, edge 2`. */
function touchWords(scene: Scene, touches: readonly Touch[]): string {
  const [first, ...others] = touches.map((touch) => ({ ...touch, ...partOf(scene, touch) }));
  if (!first) return '';
  const named = (one: typeof first) => `${one.part}${one.part && ', '}${one.at_vertex ? 'vertex' : 'edge'} ${one.edge}`;
  // the last vertex of a ring is its first one again
  const second = others.find(
    (one) => one.part !== first.part || (one.edge !== first.edge && !(one.at_vertex && first.at_vertex && one.closes)),
  );
  if (!second || (first.at_vertex && first.closes && second.part === first.part && second.edge === 0))
    return named(first);
  if (second.part === first.part) {
    const both = [first.edge, second.edge].sort((a, b) => a - b);
    if (!first.at_vertex && !second.at_vertex) return `${first.part}${first.part && ', '}edges ${both.join(' × ')}`;
    if (first.at_vertex && second.at_vertex) return `${first.part}${first.part && ', '}vertices ${both.join(' and ')}`;
    return `${named(first)} on edge ${second.edge}`;
  }
  return `${named(first)} × ${named(second)}`;
}

function partOf(scene: Scene, { stroke, edge }: Touch): { part: string; closes: boolean } {
  const s = stroke * STROKE_COLUMNS;
  const row = (scene.strokes[s + S_ROW] as number) + (scene.strokes[s + S_KIND] === KIND_POINTS ? edge : 0);
  const path = rowPath(scene, row);
  const last = (scene.strokes[s + S_COUNT] as number) - 1;
  return { part: path.length === 0 ? '' : pathWords(scene, path), closes: edge === last || edge === 0 };
}

function strokeOfRow({ strokes, stroke_count }: Scene, row: number): number {
  for (let i = stroke_count - 1; i >= 0; i--) if ((strokes[i * STROKE_COLUMNS + S_ROW] as number) <= row) return i;
  return -1;
}
