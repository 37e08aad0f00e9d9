import { type Reread, rereadWords } from './reread.model';
import { KIND_POINTS, S_COUNT, S_KIND, S_START, S_STRIDE, type Scene, STROKE_COLUMNS } from './scene.model';
import type { Box } from './view.model';

/** The same numbers read otherwise, in source units: some of the vertices, enough to know the shape again. */
export type SourceGhost = {
  /** Flat x, y a stroke. */
  runs: Float64Array[];
  points: boolean;
  box: Box;
  label: string;
};

/** A canvas dashes some 50 segments a millisecond in software: this many cost 12. */
const MOST_VERTICES = 600;
const MOST_STROKES = 200;

/** The ghost of a scene; null where the reading changes nothing or no vertex is finite. */
export function sourceGhost(scene: Scene, reread: Reread): SourceGhost | null {
  const label = rereadWords(reread);
  if (label === '' || !scene.bbox) return null;
  const { coords, strokes, stroke_count, vertex_count } = scene;
  const every = Math.max(1, Math.ceil(vertex_count / MOST_VERTICES));
  const each_stroke = Math.max(1, Math.ceil(stroke_count / MOST_STROKES));
  const runs: Float64Array[] = [];
  let points = true;
  let [minx, miny, maxx, maxy] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let stroke = 0; stroke < stroke_count; stroke += each_stroke) {
    const s = stroke * STROKE_COLUMNS;
    const [start, count, stride] = [
      strokes[s + S_START] as number,
      strokes[s + S_COUNT] as number,
      strokes[s + S_STRIDE] as number,
    ];
    if (strokes[s + S_KIND] !== KIND_POINTS) points = false;
    const run: number[] = [];
    for (let i = 0; i < count; i = i === count - 1 ? count : Math.min(count - 1, i + every)) {
      const [x, y] = readAs(coords[start + i * stride] as number, coords[start + i * stride + 1] as number, reread);
      if (x - x !== 0 || y - y !== 0) continue;
      run.push(x, y);
      minx = Math.min(minx, x);
      miny = Math.min(miny, y);
      maxx = Math.max(maxx, x);
      maxy = Math.max(maxy, y);
    }
    if (run.length > 0) runs.push(Float64Array.from(run));
  }
  return runs.length > 0 ? { runs, points, box: [minx, miny, maxx, maxy], label } : null;
}

function readAs(x: number, y: number, { swapped, x_sign, y_sign }: Reread): [number, number] {
  return swapped ? [y * x_sign, x * y_sign] : [x * x_sign, y * y_sign];
}
