'use client';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { boxAround } from './area-ring.model';
import type { EdgeArrow } from './outlier-arrows.model';
import type { PanePalette } from './pane-palette';
import type { Scene } from './scene.model';
import { useSizeOf } from './use-size-of';
import { type Box, centreOn, fitView, type Size, toScreenX, toScreenY, type View } from './view.model';

/** Kept beside React: a pan changes it sixty times a second and paints a canvas, not a component. */
export type SourceViewState = {
  view: View | null;
  size: Size;
  palette: PanePalette | null;
  arrows: EdgeArrow[];
  moved: boolean;
};
const NO_VIEW: SourceViewState = {
  view: null,
  size: { width: 0, height: 0 },
  palette: null,
  arrows: [],
  moved: false,
};

/** Somebody asks for a place to be shown: another object asks again; a `centre` moves there even when it is in view. */
export type Target = { at: readonly [number, number]; centre: boolean };

const FIT_PAD = 18;
type Fit = 'all' | 'cluster';

/**
 * What the pane shows, and when it is painted: once a frame at most, at once where its size changes. The caller keeps its
 * painting in `painter`.
 */
export function useSourceView(scene: Scene, frame: RefObject<HTMLElement | null>, target: Target | null) {
  const state = useRef<SourceViewState>({ ...NO_VIEW });
  const painter = useRef<() => void>(() => {});
  const [moved, setMoved] = useState(false);
  const request = useRef(0);
  const repaint = useCallback(() => {
    if (request.current !== 0) return;
    request.current = requestAnimationFrame(() => {
      request.current = 0;
      painter.current();
    });
  }, []);
  useEffect(
    () => () => {
      cancelAnimationFrame(request.current);
      // else a pane that is mounted again would wait for a frame that never comes
      request.current = 0;
    },
    [],
  );

  const show = useCallback(
    (which: Fit) => {
      const box = which === 'cluster' && scene.cluster ? scene.cluster.box : scene.bbox;
      if (!box) return;
      state.current.view = fitView(box, state.current.size, FIT_PAD);
      state.current.moved = which === 'cluster';
      setMoved(state.current.moved);
      repaint();
    },
    [scene, repaint],
  );
  const showBoth = useCallback(
    (box: Box) => {
      state.current.view = fitView(scene.bbox ? boxAround(scene.bbox, box) : box, state.current.size, FIT_PAD);
      state.current.moved = true;
      setMoved(true);
      repaint();
    },
    [scene, repaint],
  );
  const move = useCallback(
    (view: View) => {
      state.current.view = view;
      state.current.moved = true;
      setMoved(true);
      repaint();
    },
    [repaint],
  );
  useEffect(() => {
    const { view, size } = state.current;
    if (!target || !view) return;
    const [x, y] = [toScreenX(view, size, target.at[0]), toScreenY(view, size, target.at[1])];
    const inside = x > 16 && y > 16 && x < size.width - 16 && y < size.height - 16;
    if (!inside || (target.centre && state.current.moved)) move(centreOn(view, target.at[0], target.at[1]));
  }, [target, move]);
  useSizeOf(frame, (size) => {
    state.current.size = size;
    if (!state.current.moved) show('all');
    painter.current();
  });
  return { state, painter, moved, repaint, show, showBoth, move };
}
