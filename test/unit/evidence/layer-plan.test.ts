import { describe, expect, it } from 'vitest';
import { type LayerPicture, MOST_SQUARES, planLayer } from '@/components/evidence/layer-plan.model';
import { panBy, toScreenX, toScreenY, zoomAt } from '@/components/evidence/view.model';

const size = { width: 240, height: 184 };
const none = { width: 0, height: 0 };
const view = { cx: 10, cy: 50, k: 300 };
const dense: LayerPicture = { view, size, margin: none, near: 1_000_000 };
const wide: LayerPicture = { ...dense, margin: { width: 120, height: 92 } };

describe('the picture of the strokes', () => {
  it('is drawn for the pane alone at first, at another scale, and in a pane of another size', () => {
    const pane_alone = { kind: 'draw', margin: none };
    expect(planLayer(null, view, size)).toEqual(pane_alone);
    expect(planLayer(wide, zoomAt(view, size, 1.5, 0, 0), size)).toEqual(pane_alone);
    expect(planLayer(wide, view, { ...size, height: 200 })).toEqual(pane_alone);
  });

  it('is drawn with half a pane around where a pan begins, and then moved with it', () => {
    const panned = panBy(view, 30, -20);
    expect(planLayer(dense, panned, size)).toEqual({ kind: 'draw', margin: { width: 120, height: 92 } });
    const plan = planLayer(wide, panned, size);
    expect(plan).toMatchObject({ kind: 'show', exact: false });
    if (plan.kind !== 'show') return;
    const [x, y] = [10.1, 50.2];
    expect(toScreenX(view, size, x) + plan.dx).toBeCloseTo(toScreenX(panned, size, x), 6);
    expect(toScreenY(view, size, y) + plan.dy).toBeCloseTo(toScreenY(panned, size, y), 6);
  });

  it('is drawn anew where the pan leaves it', () => {
    expect(planLayer(wide, panBy(view, 119, 0), size).kind).toBe('show');
    expect(planLayer(wide, panBy(view, 121, 0), size).kind).toBe('draw');
    expect(planLayer(wide, panBy(view, 0, -93), size).kind).toBe('draw');
  });

  it('stays as it is where only a mark changes', () => {
    expect(planLayer(dense, view, size)).toEqual({ kind: 'show', dx: 0, dy: 0, exact: true });
  });

  it('is not kept where each vertex has its square', () => {
    expect(planLayer({ ...dense, near: MOST_SQUARES }, view, size).kind).toBe('draw');
  });
});
