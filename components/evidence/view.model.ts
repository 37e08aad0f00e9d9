/** What a pane shows: the source coordinate at its middle, and pixels per source unit. All float64. */
export type View = { cx: number; cy: number; k: number };
/** [minx, miny, maxx, maxy] in source units. */
export type Box = readonly [number, number, number, number];
/** CSS pixels. */
export type Size = { width: number; height: number };

const SMALLEST_K = 1e-308;
const LARGEST_K = 1e306;
/** A pane is never narrower than this many steps between neighbouring doubles: closer in there is nothing to see. */
const FEWEST_STEPS = 16;

/** Screen x of a source x: the centre is taken off before scaling, so that no digit is lost far from the origin. */
export const toScreenX = (view: View, size: Size, x: number) => size.width / 2 + (x - view.cx) * view.k;
export const toScreenY = (view: View, size: Size, y: number) => size.height / 2 - (y - view.cy) * view.k;
export const toSourceX = (view: View, size: Size, px: number) => view.cx + (px - size.width / 2) / view.k;
export const toSourceY = (view: View, size: Size, py: number) => view.cy - (py - size.height / 2) / view.k;

function clampScale(k: number, { cx, cy }: { cx: number; cy: number }, size: Size): number {
  const step = Math.max(Math.abs(cx), Math.abs(cy)) * Number.EPSILON;
  const closest = step > 0 ? Math.min(size.width, size.height) / (step * FEWEST_STEPS) : LARGEST_K;
  return Math.min(Math.max(k, SMALLEST_K), Math.min(closest, LARGEST_K));
}

/** Shows the whole box with `pad` pixels around it. A box without extent (one point) is shown with some ground around. */
export function fitView(box: Box, size: Size, pad: number): View {
  // half of each side: the whole one of two opposite huge doubles is no double
  const hx = box[2] / 2 - box[0] / 2;
  const hy = box[3] / 2 - box[1] / 2;
  const centre = { cx: box[0] / 2 + box[2] / 2, cy: box[1] / 2 + box[3] / 2 };
  const ground = Math.max(Math.abs(centre.cx), Math.abs(centre.cy)) * 1e-4 || 1;
  const flat = hx === 0 && hy === 0;
  const across = Math.max(size.width / 2 - pad, 8) / (flat ? ground : hx);
  const up = Math.max(size.height / 2 - pad, 8) / (flat ? ground : hy);
  return { ...centre, k: clampScale(Math.min(across, up), centre, size) };
}

/** Scales by `factor` around the screen position, which keeps its source coordinate. */
export function zoomAt(view: View, size: Size, factor: number, px: number, py: number): View {
  const x = toSourceX(view, size, px);
  const y = toSourceY(view, size, py);
  const k = clampScale(view.k * factor, view, size);
  return { k, cx: x - (px - size.width / 2) / k, cy: y + (py - size.height / 2) / k };
}

/** Moves what is shown by screen pixels. */
export function panBy(view: View, dx: number, dy: number): View {
  const next = { ...view, cx: view.cx - dx / view.k, cy: view.cy + dy / view.k };
  return Number.isFinite(next.cx) && Number.isFinite(next.cy) ? next : view;
}

/** The same scale with `x`, `y` in the middle. */
export const centreOn = (view: View, x: number, y: number): View => ({ ...view, cx: x, cy: y });

/** What lies within the pane. */
export function shownBox(view: View, size: Size): Box {
  return [
    toSourceX(view, size, 0),
    toSourceY(view, size, size.height),
    toSourceX(view, size, size.width),
    toSourceY(view, size, 0),
  ];
}
