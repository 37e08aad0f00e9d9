import { clipSegment } from './clip.model';
import type { Ground } from './draw-ground';
import type { Edge } from './fault-edges.model';
import type { FaultPlace } from './fault-place.model';
import type { EdgeArrow } from './outlier-arrows.model';
import type { PanePalette } from './pane-palette';
import { toScreenX, toScreenY } from './view.model';

export type Marks = {
  places: readonly FaultPlace[];
  /** Index in `places`, or null. */
  current_fault: number | null;
  /** The edges that the current fault is about, each x0, y0, x1, y1 in source units. */
  current_edges: readonly Edge[];
  /** Source coordinates of the vertex under the pointer or the table's hovered row, and of the chosen one. */
  hovered: readonly [number, number] | null;
  selected: readonly [number, number] | null;
  arrows: readonly EdgeArrow[];
};

export const MARK_RADIUS = 7.5;
const DOT_RADIUS = 2.5;
/** Two numbers nearer than this cannot be told apart. */
const APART_PX = 11;
const MOST_MARKS = 500;
/** The current mark stands aside from a crossing, so that the cross itself is seen. */
const ASIDE_PX = 15;
const CROSS_PX = 4.5;

/** Where a fault's mark stands on the screen, and whether a cross marks the place itself. */
export function markPlace(
  {
    view,
    size,
    places,
    current_fault,
    current_edges,
  }: Pick<Marks & Ground, 'view' | 'size' | 'places' | 'current_fault' | 'current_edges'>,
  index: number,
): { x: number; y: number; cross: { x: number; y: number } | null } | null {
  const at = places[index]?.at;
  if (!at) return null;
  const x = toScreenX(view, size, at[0]);
  const y = toScreenY(view, size, at[1]);
  if (index !== current_fault || current_edges.length < 2) return { x, y, cross: null };
  // towards the middle of the pane it is never cut off
  const right = x > size.width - 2 * ASIDE_PX ? -1 : 1;
  const down = y < 2 * ASIDE_PX ? 1 : -1;
  const step = ASIDE_PX * Math.SQRT1_2;
  return { x: x + right * step, y: y + down * step, cross: { x, y } };
}

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
  drawEdges(ctx, marks);
  if (marks.selected) ring(ctx, marks, marks.selected, 6, 2);
  if (marks.hovered) ring(ctx, marks, marks.hovered, 5, 1.25);
  for (const arrow of arrows) drawArrow(ctx, arrow, palette);
  const numbered = numberedMarks(marks);
  const order = places.slice(0, MOST_MARKS).map((_, i) => i);
  for (const i of order) if (!numbered.has(i)) drawDot(ctx, marks, i);
  for (const i of order) if (i !== current_fault && numbered.has(i)) drawFault(ctx, marks, i);
  if (current_fault !== null && places[current_fault]) drawFault(ctx, marks, current_fault);
}

/**
 * The marks that find room for their number, the current one first: nearer than this to one of them a mark is a dot, or
 * the numbers would cover one another.
 */
export function numberedMarks(
  marks: Pick<Marks & Ground, 'view' | 'size' | 'places' | 'current_fault' | 'current_edges'>,
): Set<number> {
  const { places, current_fault } = marks;
  const taken: { x: number; y: number }[] = [];
  const numbered = new Set<number>();
  const rest = places.slice(0, MOST_MARKS).map((_, i) => i);
  for (const i of current_fault === null ? rest : [current_fault, ...rest]) {
    const mark = numbered.has(i) ? null : markPlace(marks, i);
    if (!mark || taken.some(({ x, y }) => Math.hypot(x - mark.x, y - mark.y) < APART_PX)) continue;
    taken.push(mark);
    numbered.add(i);
  }
  return numbered;
}

function drawDot(ctx: CanvasRenderingContext2D, marks: Marks & Ground, index: number): void {
  const { palette, places } = marks;
  const mark = markPlace(marks, index);
  if (!mark) return;
  ctx.beginPath();
  ctx.arc(mark.x, mark.y, DOT_RADIUS, 0, Math.PI * 2);
  ctx.fillStyle = places[index]?.fault.severity === 'note' ? palette.pane : palette.fault;
  ctx.fill();
  ctx.strokeStyle = palette.fault;
  ctx.lineWidth = 1;
  ctx.stroke();
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
  const { palette, size } = marks;
  const mark = markPlace(marks, index);
  if (!mark) return;
  const { x, y, cross } = mark;
  if (!(x > -10 && x < size.width + 10 && y > -10 && y < size.height + 10)) return;
  if (cross) drawCross(ctx, cross, palette);
  const note = marks.places[index]?.fault.severity === 'note';
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

/** The edges that cross: on a light casing, so that they stand out where many lines run. */
function drawEdges(ctx: CanvasRenderingContext2D, { view, size, palette, current_edges }: Marks & Ground): void {
  if (current_edges.length === 0) return;
  const clip = { x0: -8, y0: -8, x1: size.width + 8, y1: size.height + 8 };
  ctx.beginPath();
  for (const [x0, y0, x1, y1] of current_edges) {
    const seen = clipSegment(
      toScreenX(view, size, x0),
      toScreenY(view, size, y0),
      toScreenX(view, size, x1),
      toScreenY(view, size, y1),
      clip,
    );
    if (!seen) continue;
    ctx.moveTo(seen[0], seen[1]);
    ctx.lineTo(seen[2], seen[3]);
  }
  ctx.lineCap = 'round';
  for (const [width, colour] of [
    [5, palette.pane],
    [2.25, palette.fault],
  ] as const) {
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke();
  }
  ctx.lineCap = 'butt';
}

function drawCross(ctx: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, palette: PanePalette): void {
  ctx.beginPath();
  for (const side of [1, -1]) {
    ctx.moveTo(x - CROSS_PX, y - CROSS_PX * side);
    ctx.lineTo(x + CROSS_PX, y + CROSS_PX * side);
  }
  for (const [width, colour] of [
    [4.5, palette.pane],
    [2, palette.ink],
  ] as const) {
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke();
  }
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
