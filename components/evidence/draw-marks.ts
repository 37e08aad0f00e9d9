import type { FaultPlace } from './fault-place.model';
import type { EdgeArrow } from './outlier-arrows.model';
import type { PanePalette } from './pane-palette';
import { type Size, toScreenX, toScreenY, type View } from './view.model';

export type Marks = {
  places: readonly FaultPlace[];
  /** Index in `places`, or null. */
  current_fault: number | null;
  /** Source coordinates of the vertex under the pointer or the table's hovered row, and of the chosen one. */
  hovered: readonly [number, number] | null;
  selected: readonly [number, number] | null;
  arrows: readonly EdgeArrow[];
};

type Ground = { view: View; size: Size; palette: PanePalette };

export const MARK_RADIUS = 7.5;
const MOST_MARKS = 500;

/** What lies on top: vertices as squares, the chosen vertex, arrows to what is outside, numbered faults. */
export function drawMarks(ctx: CanvasRenderingContext2D, marks: Marks & Ground, squares: readonly number[]): void {
  const { palette, places, current_fault, arrows, size } = marks;
  ctx.lineWidth = 1;
  ctx.fillStyle = palette.surface;
  ctx.strokeStyle = palette['ink-2'];
  for (let i = 0; i < squares.length; i += 2) {
    const x = (squares[i] as number) - 1.5;
    const y = (squares[i + 1] as number) - 1.5;
    if (x < -4 || y < -4 || x > size.width + 4 || y > size.height + 4) continue;
    ctx.fillRect(x, y, 3, 3);
    ctx.strokeRect(x, y, 3, 3);
  }
  if (marks.selected) ring(ctx, marks, marks.selected, 6, 2);
  if (marks.hovered) ring(ctx, marks, marks.hovered, 5, 1.25);
  for (const arrow of arrows) drawArrow(ctx, arrow, palette);
  const order = places.slice(0, MOST_MARKS).map((_, i) => i);
  for (const i of order) if (i !== current_fault) drawFault(ctx, marks, i);
  if (current_fault !== null && places[current_fault]) drawFault(ctx, marks, current_fault);
}

function ring(
  ctx: CanvasRenderingContext2D,
  { view, size, palette }: Ground,
  at: readonly [number, number],
  radius: number,
  width: number,
): void {
  ctx.beginPath();
  ctx.arc(toScreenX(view, size, at[0]), toScreenY(view, size, at[1]), radius, 0, Math.PI * 2);
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** Filled fails, hollow is a note, the current one has an ink rim. */
function drawFault(ctx: CanvasRenderingContext2D, marks: Marks & Ground, index: number): void {
  const { palette, view, size } = marks;
  const place = marks.places[index];
  if (!place?.at) return;
  const x = toScreenX(view, size, place.at[0]);
  const y = toScreenY(view, size, place.at[1]);
  if (!(x > -10 && x < size.width + 10 && y > -10 && y < size.height + 10)) return;
  const note = place.fault.severity === 'note';
  const current = index === marks.current_fault;
  ctx.beginPath();
  ctx.arc(x, y, MARK_RADIUS, 0, Math.PI * 2);
  ctx.fillStyle = note ? palette.pane : palette.fault;
  ctx.fill();
  ctx.strokeStyle = current ? palette.ink : note ? palette.fault : palette.pane;
  ctx.lineWidth = current ? 2 : 1.5;
  ctx.stroke();
  ctx.fillStyle = note ? palette.fault : palette['on-fault'];
  ctx.font = `620 ${index < 99 ? 10 : 8}px ${palette.font}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(String(index + 1), x, y + 0.5);
}

function drawArrow(ctx: CanvasRenderingContext2D, { px, py, angle, count }: EdgeArrow, palette: PanePalette): void {
  ctx.save();
  ctx.translate(px, py);
  ctx.rotate(angle);
  ctx.beginPath();
  ctx.moveTo(9, 0);
  ctx.lineTo(-3, -5.5);
  ctx.lineTo(-3, 5.5);
  ctx.closePath();
  ctx.fillStyle = palette.accent;
  ctx.fill();
  ctx.restore();
  ctx.font = `560 10px ${palette.font}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const [tx, ty] = [px - Math.cos(angle) * 14, py - Math.sin(angle) * 12];
  ctx.lineWidth = 3;
  ctx.strokeStyle = palette.pane;
  const text = count > 999 ? '999+' : String(count);
  ctx.strokeText(text, tx, ty);
  ctx.fillStyle = palette.accent;
  ctx.fillText(text, tx, ty);
}
