import type { Ring } from './area-ring.model';
import { drawGhost, drawRing } from './draw-beside';
import { drawAxes, drawGraticule } from './draw-graticule';
import type { Ground } from './draw-ground';
import { drawMarks, type Marks } from './draw-marks';
import { drawStrokes, type Strokes } from './draw-strokes';
import type { SourceGhost } from './ghost.model';
import type { StrokesLayer } from './strokes-layer';

export type Drawing = Ground &
  Marks &
  Strokes & {
    /** The claim's area of use, in source units, or null. */
    area_of_use: Ring | null;
    /** The numbers read otherwise, or null. */
    ghost: SourceGhost | null;
    /** Keeps the strokes between frames; without one they are drawn anew. */
    layer?: StrokesLayer;
  };

/**
 * Draws everything; a call costs what is in the pane, not what is in the geometry. Answers whether the strokes lie
 * exactly where they belong: while a dense pane is panned they do to half a pixel.
 */
export function drawSource(ctx: CanvasRenderingContext2D, drawing: Drawing): boolean {
  const { size, ratio, palette, area_of_use, ghost } = drawing;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = palette.pane;
  ctx.fillRect(0, 0, size.width, size.height);
  drawGraticule(ctx, drawing);
  if (area_of_use) drawRing(ctx, drawing, area_of_use);
  if (ghost) drawGhost(ctx, drawing, ghost);
  const { squares, exact } = drawing.layer?.draw(ctx, drawing) ?? { ...drawStrokes(ctx, drawing), exact: true };
  drawAxes(ctx, drawing);
  drawMarks(ctx, drawing, squares);
  return exact;
}
