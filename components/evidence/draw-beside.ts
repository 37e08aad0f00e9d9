import type { Ring } from './area-ring.model';
import { clipRing, clipSegment } from './clip.model';
import type { Ground } from './draw-ground';
import type { SourceGhost } from './ghost.model';
import { toScreenX, toScreenY } from './view.model';

/** A ghost narrower than this on the screen gets a box around it, or it would be a dot among others. */
const SMALLEST_PX = 9;

/** The area of use: its outline dotted, its ground a little darker. */
export function drawRing(ctx: CanvasRenderingContext2D, { view, size, palette }: Ground, ring: Ring): void {
  const screen = ring.flatMap(([x, y]) => [toScreenX(view, size, x), toScreenY(view, size, y)]);
  const clip = { x0: -8, y0: -8, x1: size.width + 8, y1: size.height + 8 };
  const area = clipRing(screen, clip);
  ctx.beginPath();
  for (let i = 0; i < area.length; i += 2) ctx.lineTo(area[i] as number, area[i + 1] as number);
  ctx.globalAlpha = 0.045;
  ctx.fillStyle = palette.ink;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  traceLine(ctx, [...screen, screen[0] as number, screen[1] as number], clip);
  ctx.strokeStyle = palette['ink-2'];
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 2]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The same numbers read otherwise: dashed, with the reading in words beside it. */
export function drawGhost(ctx: CanvasRenderingContext2D, { view, size, palette }: Ground, ghost: SourceGhost): void {
  const clip = { x0: -8, y0: -8, x1: size.width + 8, y1: size.height + 8 };
  ctx.beginPath();
  for (const run of ghost.runs) {
    const screen: number[] = [];
    for (let i = 0; i < run.length; i += 2)
      screen.push(toScreenX(view, size, run[i] as number), toScreenY(view, size, run[i + 1] as number));
    if (ghost.points || screen.length === 2) dots(ctx, screen);
    else traceLine(ctx, screen, clip);
  }
  const [x0, y0] = [toScreenX(view, size, ghost.box[0]), toScreenY(view, size, ghost.box[3])];
  const [x1, y1] = [toScreenX(view, size, ghost.box[2]), toScreenY(view, size, ghost.box[1])];
  const small = x1 - x0 < SMALLEST_PX && y1 - y0 < SMALLEST_PX;
  const half = SMALLEST_PX / 2;
  if (small) ctx.rect((x0 + x1) / 2 - half, (y0 + y1) / 2 - half, SMALLEST_PX, SMALLEST_PX);
  ctx.strokeStyle = palette.ghost;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([4, 2.5]);
  ctx.stroke();
  ctx.setLineDash([]);
  const [left, top] = [small ? (x0 + x1) / 2 - half : x0, small ? (y0 + y1) / 2 - half : y0];
  if (x1 < 0 || left > size.width || y1 < 0 || top > size.height) return;
  ctx.font = `520 10.5px ${palette.font}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  const wide = ctx.measureText(ghost.label).width;
  const x = Math.min(Math.max(left, 4), size.width - wide - 4);
  const y = top < 18 ? Math.min(size.height - 20, Math.max(y1, top + SMALLEST_PX) + 15) : top - 2;
  ctx.lineWidth = 3;
  ctx.strokeStyle = palette.pane;
  ctx.strokeText(ghost.label, x, y);
  ctx.fillStyle = palette.ghost;
  ctx.fillText(ghost.label, x, y);
}

type Clip = Parameters<typeof clipSegment>[4];

function traceLine(ctx: CanvasRenderingContext2D, screen: readonly number[], clip: Clip): void {
  let pen: [number, number] = [Number.NaN, Number.NaN];
  for (let i = 2; i < screen.length; i += 2) {
    const seen = clipSegment(
      screen[i - 2] as number,
      screen[i - 1] as number,
      screen[i] as number,
      screen[i + 1] as number,
      clip,
    );
    if (!seen) continue;
    // a pen that is not lifted keeps the dashes going
    if (seen[0] !== pen[0] || seen[1] !== pen[1]) ctx.moveTo(seen[0], seen[1]);
    ctx.lineTo(seen[2], seen[3]);
    pen = [seen[2], seen[3]];
  }
}

function dots(ctx: CanvasRenderingContext2D, screen: readonly number[]): void {
  for (let i = 0; i < screen.length; i += 2) {
    const [x, y] = [screen[i] as number, screen[i + 1] as number];
    if (!(Math.abs(x) < 8192 && Math.abs(y) < 8192)) continue;
    ctx.moveTo(x + 3, y);
    ctx.arc(x, y, 3, 0, Math.PI * 2);
  }
}
