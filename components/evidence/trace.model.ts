import { CHUNK, S_CHUNK, S_COUNT, S_START, S_STRIDE, type Scene, STROKE_COLUMNS } from './scene.model';
import { type Size, toScreenX, toScreenY, type View } from './view.model';

/** Vertices nearer than this to the last one drawn (in pixels) are left out. */
const DECIMATE_PX = 0.5;
/** Chunks are skipped only beyond this margin, so that line joins and marks at the edge stay. */
const MARGIN_PX = 16;

/** A stroke on the screen: flat x, y of each run; a vertex that is not finite ends a run (pen up). */
export type Trace = { runs: number[][] /** Vertices in the chunks that reach into the pane. */; near: number };

/**
 * Projects a stroke. A chunk that lies beyond one side of the pane, or within half a pixel, is represented by its first
 * and last vertex: a path bent inside a half-plane that the pane does not touch looks the same within the pane, both as
 * a line and as an area.
 */
export function traceStroke(scene: Scene, stroke: number, view: View, size: Size): Trace {
  const { coords, strokes, chunks } = scene;
  const s = stroke * STROKE_COLUMNS;
  const start = strokes[s + S_START] as number;
  const count = strokes[s + S_COUNT] as number;
  const stride = strokes[s + S_STRIDE] as number;
  const { width, height } = size;
  const { cx, cy, k } = view;
  const runs: number[][] = [];
  let run: number[] | null = null;
  let [lastX, lastY, near] = [0, 0, 0];

  const take = (i: number, always: boolean): void => {
    const at = start + i * stride;
    const X = coords[at] as number;
    const Y = coords[at + 1] as number;
    if (X - X !== 0 || Y - Y !== 0) {
      run = null;
      return;
    }
    const x = width / 2 + (X - cx) * k;
    const y = height / 2 - (Y - cy) * k;
    if (run === null) {
      run = [x, y];
      runs.push(run);
    } else {
      const [dx, dy] = [x - lastX, y - lastY];
      if (!always && dx * dx + dy * dy < DECIMATE_PX * DECIMATE_PX) return;
      run.push(x, y);
    }
    lastX = x;
    lastY = y;
  };

  for (let from = 0, c = (strokes[s + S_CHUNK] as number) * 4; from < count; from += CHUNK, c += 4) {
    const to = Math.min(count, from + CHUNK);
    const x0 = toScreenX(view, size, chunks[c] as number);
    const y1 = toScreenY(view, size, chunks[c + 1] as number);
    const x1 = toScreenX(view, size, chunks[c + 2] as number);
    const y0 = toScreenY(view, size, chunks[c + 3] as number);
    const aside = x1 < -MARGIN_PX || x0 > width + MARGIN_PX || y1 < -MARGIN_PX || y0 > height + MARGIN_PX;
    if (aside || (x1 - x0 < DECIMATE_PX && y1 - y0 < DECIMATE_PX && to - from > 2)) {
      if (!aside) near += to - from;
      take(from, true);
      take(to - 1, true);
      continue;
    }
    near += to - from;
    for (let i = from; i < to; i++) take(i, i === count - 1);
  }
  return { runs, near };
}
