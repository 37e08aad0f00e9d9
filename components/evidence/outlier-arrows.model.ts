import { type Compass, compassOf } from '@/lib/crs/distance-words';
import type { Scene } from './scene.model';
import { vertexAt } from './scene-vertex.model';
import { type Size, toScreenX, toScreenY, type View } from './view.model';

/** An arrow at the pane's edge: `count` vertices lie out that way; `vertex` is the first of them. */
export type EdgeArrow = { px: number; py: number; angle: number; count: number; vertex: number; towards: Compass };

const INSET_PX = 14;
/** The pane's buttons stand along its upper edge. */
const TOP_INSET_PX = 44;

/** One arrow an eighth of the compass for the outliers that the view leaves out. Angles are on the screen, y down. */
export function outlierArrows(scene: Scene, view: View, size: Size): EdgeArrow[] {
  const arrows = new Map<Compass, EdgeArrow>();
  for (const vertex of scene.cluster?.outliers ?? []) {
    const at = vertexAt(scene, vertex);
    if (!at) continue;
    const x = toScreenX(view, size, at.x);
    const y = toScreenY(view, size, at.y);
    if (x >= 0 && x <= size.width && y >= 0 && y <= size.height) continue;
    const [dx, dy] = [x - size.width / 2, y - size.height / 2];
    const towards = compassOf(dx, -dy);
    const known = arrows.get(towards);
    if (known) known.count++;
    else arrows.set(towards, { ...edgeAt(dx, dy, size), count: 1, vertex, towards });
  }
  return [...arrows.values()];
}

/** Where the way from the middle of the pane leaves it. */
export function edgeAt(dx: number, dy: number, { width, height }: Size): { px: number; py: number; angle: number } {
  // scaled down first: the squares of huge pixel distances are infinite
  const most = Math.max(Math.abs(dx), Math.abs(dy)) || 1;
  const [ux, uy] = [dx / most, dy / most];
  const along = Math.min(
    ux === 0 ? Infinity : (width / 2 - INSET_PX) / Math.abs(ux),
    uy === 0 ? Infinity : (height / 2 - (uy < 0 ? TOP_INSET_PX : INSET_PX)) / Math.abs(uy),
  );
  return { px: width / 2 + ux * along, py: height / 2 + uy * along, angle: Math.atan2(uy, ux) };
}
