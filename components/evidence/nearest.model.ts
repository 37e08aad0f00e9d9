import { CHUNK, S_CHUNK, S_COUNT, S_FIRST, S_START, S_STRIDE, type Scene, STROKE_COLUMNS } from './scene.model';

/** Calls `see` for every run of at most CHUNK vertices whose box comes within `reach` source units of a place. */
function eachChunkNear(
  scene: Scene,
  x: number,
  y: number,
  reach: number,
  see: (s: number, from: number, to: number) => void,
): void {
  const { strokes, chunks } = scene;
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) {
    const count = strokes[s + S_COUNT] as number;
    for (let from = 0, c = (strokes[s + S_CHUNK] as number) * 4; from < count; from += CHUNK, c += 4) {
      if ((chunks[c] as number) - reach > x || (chunks[c + 2] as number) + reach < x) continue;
      if ((chunks[c + 1] as number) - reach > y || (chunks[c + 3] as number) + reach < y) continue;
      see(s, from, Math.min(count, from + CHUNK));
    }
  }
}

/** Number of the vertex nearest to a place, within `reach` source units; null where there is none. */
export function nearestVertex(scene: Scene, x: number, y: number, reach: number): number | null {
  const { coords, strokes } = scene;
  let best = 1;
  let found: number | null = null;
  eachChunkNear(scene, x, y, reach, (s, from, to) => {
    const stride = strokes[s + S_STRIDE] as number;
    for (let i = from, at = (strokes[s + S_START] as number) + from * stride; i < to; i++, at += stride) {
      // in units of the reach: the squares of huge or tiny distances are no doubles
      const dx = ((coords[at] as number) - x) / reach;
      const dy = ((coords[at + 1] as number) - y) / reach;
      const d = dx * dx + dy * dy;
      if (d < best) {
        best = d;
        found = (strokes[s + S_FIRST] as number) + i;
      }
    }
  });
  return found;
}

export type Touch = {
  stroke: number /** Number of the edge's first vertex within its stroke. */;
  edge: number /** It is that vertex itself. */;
  at_vertex: boolean;
};

/** The edges that pass through a place (within `reach`), the vertices that lie on it first; at most `most`. */
export function edgesThrough(scene: Scene, x: number, y: number, reach: number, most: number): Touch[] {
  const { coords, strokes } = scene;
  const vertices: Touch[] = [];
  const edges: Touch[] = [];
  const touches = (s: number, i: number): void => {
    const stride = strokes[s + S_STRIDE] as number;
    const at = (strokes[s + S_START] as number) + i * stride;
    const ax = ((coords[at] as number) - x) / reach;
    const ay = ((coords[at + 1] as number) - y) / reach;
    const stroke = s / STROKE_COLUMNS;
    if (ax * ax + ay * ay <= 1) {
      vertices.push({ stroke, edge: i, at_vertex: true });
      return;
    }
    if (i + 1 >= (strokes[s + S_COUNT] as number)) return;
    const bx = ((coords[at + stride] as number) - x) / reach;
    const by = ((coords[at + stride + 1] as number) - y) / reach;
    if (bx * bx + by * by <= 1) return;
    const [dx, dy] = [bx - ax, by - ay];
    const t = -(ax * dx + ay * dy) / (dx * dx + dy * dy);
    if (!(t > 0 && t < 1)) return;
    const [px, py] = [ax + t * dx, ay + t * dy];
    if (px * px + py * py <= 1) edges.push({ stroke, edge: i, at_vertex: false });
  };
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) {
    const count = strokes[s + S_COUNT] as number;
    for (let from = 0, c = (strokes[s + S_CHUNK] as number) * 4; from < count; from += CHUNK, c += 4) {
      const to = Math.min(count, from + CHUNK);
      // the edge into the next chunk is in neither box
      if (to < count) touches(s, to - 1);
      const [minx, miny, maxx, maxy] = scene.chunks.subarray(c, c + 4) as unknown as [number, number, number, number];
      if (minx - reach > x || maxx + reach < x || miny - reach > y || maxy + reach < y) continue;
      for (let i = from; i < (to < count ? to - 1 : to); i++) touches(s, i);
    }
  }
  return [...vertices, ...edges].slice(0, most);
}
