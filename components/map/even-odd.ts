import type { Position } from 'geojson';

/** More vertices than this cost too much here (quadratic in edges); the rings are drawn as lines either way. */
export const EVEN_ODD_VERTICES = 600;

type Edge = { ax: number; ay: number; bx: number; by: number };

const xAt = (edge: Edge, y: number) => edge.ax + ((edge.bx - edge.ax) * (y - edge.ay)) / (edge.by - edge.ay);

/** Edges that are not level, with their lower end first; an unclosed ring is closed for filling only. */
function edgesOf(rings: readonly Position[][]): Edge[] {
  const edges: Edge[] = [];
  for (const ring of rings)
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length]!;
      if (ay! < by!) edges.push({ ax: ax!, ay: ay!, bx: bx!, by: by! });
      else if (ay! > by!) edges.push({ ax: bx!, ay: by!, bx: ax!, by: ay! });
    });
  return edges;
}

/** Heights at which two edges cross between their ends. */
function crossings(edges: readonly Edge[]): number[] {
  const heights: number[] = [];
  edges.forEach((a, i) => {
    for (let j = i + 1; j < edges.length; j++) {
      const b = edges[j]!;
      const low = Math.max(a.ay, b.ay);
      const high = Math.min(a.by, b.by);
      if (low >= high) continue;
      const before = xAt(a, low) - xAt(b, low);
      const after = xAt(a, high) - xAt(b, high);
      if (before * after < 0) heights.push(low + ((high - low) * before) / (before - after));
    }
  });
  return heights;
}

/**
 * The area that rings enclose by the even-odd rule, cut into trapezoids between the heights where edges begin, end and
 * cross. WebGL fills by triangulation, which paints nonsense for rings that cross themselves; trapezoids cannot.
 */
export function evenOddTrapezoids(rings: readonly Position[][]): Position[][] {
  const edges = edgesOf(rings);
  const heights = [...new Set([...edges.flatMap((edge) => [edge.ay, edge.by]), ...crossings(edges)])].sort(
    (a, b) => a - b,
  );
  const out: Position[][] = [];
  for (let i = 1; i < heights.length; i++) {
    const low = heights[i - 1]!;
    const high = heights[i]!;
    const middle = (low + high) / 2;
    const across = edges
      .filter((edge) => edge.ay < middle && edge.by > middle)
      .sort((a, b) => xAt(a, middle) - xAt(b, middle));
    for (let k = 1; k < across.length; k += 2) {
      const left = across[k - 1]!;
      const right = across[k]!;
      const corners: Position[] = [
        [xAt(left, low), low],
        [xAt(right, low), low],
        [xAt(right, high), high],
        [xAt(left, high), high],
      ];
      out.push([...corners, corners[0]!]);
    }
  }
  return out;
}
