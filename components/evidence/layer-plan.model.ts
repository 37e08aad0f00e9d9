import type { Size, View } from './view.model';

/** A picture of the strokes: what it shows, and how much of it stands beyond each side of the pane (CSS pixels). */
export type LayerPicture = { view: View; size: Size; margin: Size; near: number };

/** Up to this many vertices in the pane they are drawn anew for every frame, and each gets its square. */
export const MOST_SQUARES = 500;

export type LayerPlan =
  | { kind: 'draw'; margin: Size }
  /** Where the picture's own pane lies on the pane that is wanted; `exact`: nothing would change if it were drawn anew. */
  | { kind: 'show'; dx: number; dy: number; exact: boolean };

const NO_MARGIN: Size = { width: 0, height: 0 };

/**
 * Whether a picture can be moved to where it is wanted, or strokes are drawn anew: with half a pane of ground around
 * where a pan goes on, so that only every so many frames cost what the geometry costs.
 */
export function planLayer(picture: LayerPicture | null, view: View, size: Size): LayerPlan {
  if (
    !picture ||
    picture.near <= MOST_SQUARES ||
    picture.view.k !== view.k ||
    picture.size.width !== size.width ||
    picture.size.height !== size.height
  )
    return { kind: 'draw', margin: NO_MARGIN };
  const dx = (picture.view.cx - view.cx) * view.k;
  const dy = (view.cy - picture.view.cy) * view.k;
  if (Math.abs(dx) <= picture.margin.width && Math.abs(dy) <= picture.margin.height)
    return { kind: 'show', dx, dy, exact: dx === 0 && dy === 0 && picture.margin.width === 0 };
  return { kind: 'draw', margin: { width: Math.ceil(size.width / 2), height: Math.ceil(size.height / 2) } };
}
