import type { Ground } from './draw-ground';
import { graticule } from './graticule.model';
import { toScreenX, toScreenY } from './view.model';

/** Graticule lines are at least this far apart. */
const GRATICULE_PX = 52;

/** Lines at round numbers of source units. */
export function drawGraticule(ctx: CanvasRenderingContext2D, { view, size, palette }: Ground): void {
  const { xs, ys } = graticule(view, size, GRATICULE_PX);
  ctx.beginPath();
  // half a pixel: a line of one pixel is sharp only between two
  for (const { value } of xs) {
    const x = Math.round(toScreenX(view, size, value)) + 0.5;
    ctx.moveTo(x, 0);
    ctx.lineTo(x, size.height);
  }
  for (const { value } of ys) {
    const y = Math.round(toScreenY(view, size, value)) + 0.5;
    ctx.moveTo(0, y);
    ctx.lineTo(size.width, y);
  }
  ctx.strokeStyle = palette.line;
  ctx.lineWidth = 1;
  ctx.setLineDash([]);
  ctx.stroke();
}

/** Their numbers, along the lower and the left edge. */
export function drawAxes(ctx: CanvasRenderingContext2D, { view, size, palette }: Ground): void {
  const { xs, ys } = graticule(view, size, GRATICULE_PX);
  ctx.font = `420 9.5px ${palette.mono}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const label = (text: string, x: number, y: number, wide: number) => {
    ctx.globalAlpha = 0.8;
    ctx.fillStyle = palette.pane;
    ctx.fillRect(x - 2, y - 6, wide + 4, 12);
    ctx.globalAlpha = 1;
    ctx.fillStyle = palette['ink-3'];
    ctx.fillText(text, x, y);
  };
  let right = -8;
  for (const { value, text } of xs) {
    const wide = ctx.measureText(text).width;
    const x = toScreenX(view, size, value) - wide / 2;
    // neither over its neighbour nor cut off by the edge
    if (x < right + 8 || x + wide > size.width - 2 || x < 2) continue;
    right = x + wide;
    label(text, x, size.height - 8, wide);
  }
  for (const { value, text } of ys) {
    const y = toScreenY(view, size, value);
    if (y > 8 && y < size.height - 22) label(text, 4, y, ctx.measureText(text).width);
  }
}
