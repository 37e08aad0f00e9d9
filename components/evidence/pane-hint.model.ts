import { compassOf } from '@/lib/crs/distance-words';
import { boxesMeet, nearestOnRing, type Ring, ringBox, ringIsSeen } from './area-ring.model';
import type { SourceGhost } from './ghost.model';
import { type Box, type Size, shownBox, toScreenX, toScreenY, type View } from './view.model';

/** Something outside the pane: where to, and the box to show it. */
export type PaneHint = {
  about: 'area' | 'ghost';
  text: string;
  title: string;
  /** Degrees clockwise from east on the screen, in steps of 15. */
  turn: number;
  box: Box;
};

type Beside = {
  area_of_use: Ring | null;
  /** Distance from the shape to its area of use in words, or null. */
  area_distance: string | null;
  ghost: SourceGhost | null;
};

/** Arrows to the area of use and to the ghost, each only while the pane shows nothing of it. */
export function paneHints({ area_of_use, area_distance, ghost }: Beside, view: View, size: Size): PaneHint[] {
  const hints: PaneHint[] = [];
  const area_box = area_of_use && ringBox(area_of_use);
  if (area_of_use && area_box && !ringIsSeen(area_of_use, view, size)) {
    const to = nearestOnRing(area_of_use, view.cx, view.cy);
    if (to)
      hints.push({
        about: 'area',
        text: `area of use${area_distance === null ? '' : `, ${area_distance}`}`,
        title: `The claim's area of use lies to the ${compassOf(to[0] / 2 - view.cx / 2, to[1] / 2 - view.cy / 2)}${area_distance === null ? '' : `, ${area_distance} from the shape`}`,
        turn: turnTo(to, view, size),
        box: area_box,
      });
  }
  if (ghost && !boxesMeet(ghost.box, shownBox(view, size))) {
    const to: [number, number] = [ghost.box[0] / 2 + ghost.box[2] / 2, ghost.box[1] / 2 + ghost.box[3] / 2];
    hints.push({
      about: 'ghost',
      text: ghost.label,
      title: `With ${ghost.label} the shape lies to the ${compassOf(to[0] / 2 - view.cx / 2, to[1] / 2 - view.cy / 2)}`,
      turn: turnTo(to, view, size),
      box: ghost.box,
    });
  }
  return hints;
}

function turnTo([x, y]: readonly [number, number], view: View, size: Size): number {
  const [dx, dy] = [toScreenX(view, size, x) - size.width / 2, toScreenY(view, size, y) - size.height / 2];
  return Math.round((Math.atan2(dy, dx) * 12) / Math.PI) * 15;
}

/** Whether the hints say the same, so that a pan need not draw them again. */
export const sameHints = (a: readonly PaneHint[], b: readonly PaneHint[]): boolean =>
  a.length === b.length && a.every(({ text, turn }, i) => text === b[i]?.text && turn === b[i]?.turn);
