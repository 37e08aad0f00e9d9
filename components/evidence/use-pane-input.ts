'use client';
import { type RefObject, useEffect, useRef } from 'react';
import { panBy, type Size, type View, zoomAt } from './view.model';

export type PaneInput = {
  view: () => View;
  size: () => Size;
  move: (view: View) => void;
  fit: () => void;
  /** The pointer rests at a place in CSS pixels, or has left. */
  point: (at: { x: number; y: number } | null) => void;
  click: (at: { x: number; y: number }) => void;
};

/** Below this way a press is a click. */
const DRAG_PX = 4;
const KEY_PAN_PX = 48;
const KEY_ZOOM = 1.5;

/**
 * Mouse, touch and keyboard of a pane. The wheel zooms while the pane has the focus or Ctrl is held: else it scrolls the
 * column in which the pane stands.
 */
export function usePaneInput(element: RefObject<HTMLElement | null>, input: PaneInput): void {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const pointers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    const placeOf = (event: MouseEvent) => {
      const box = target.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('button')) return;
      target.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, placeOf(event));
      if (pointers.size === 1) moved = 0;
    };
    const move = (event: PointerEvent) => {
      const { view, size, move: go, point } = latest.current;
      const at = placeOf(event);
      const before = pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== 'touch') point(at);
        return;
      }
      moved += Math.hypot(at.x - before.x, at.y - before.y);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, at);
      if (other) {
        const factor =
          Math.hypot(at.x - other.x, at.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
        const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
        go(zoomAt(panBy(view(), (at.x - before.x) / 2, (at.y - before.y) / 2), size(), factor, middle.x, middle.y));
      } else if (moved >= DRAG_PX) go(panBy(view(), at.x - before.x, at.y - before.y));
    };
    const up = (event: PointerEvent) => {
      if (!pointers.delete(event.pointerId)) return;
      if (moved < DRAG_PX && pointers.size === 0 && event.type === 'pointerup') latest.current.click(placeOf(event));
    };
    const leave = () => latest.current.point(null);
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !target.contains(document.activeElement)) return;
      event.preventDefault();
      const { x, y } = placeOf(event);
      const lines = event.deltaMode === 1 ? 16 : 1;
      const factor = 2 ** (-(event.deltaY * lines) / (event.ctrlKey ? 100 : 240));
      latest.current.move(zoomAt(latest.current.view(), latest.current.size(), factor, x, y));
    };
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== target) return;
      const { view, size, move: go, fit } = latest.current;
      const middle = { x: size().width / 2, y: size().height / 2 };
      const zoom = (factor: number) => go(zoomAt(view(), size(), factor, middle.x, middle.y));
      const keys = new Map<string, () => void>([
        ['+', () => zoom(KEY_ZOOM)],
        ['=', () => zoom(KEY_ZOOM)],
        ['-', () => zoom(1 / KEY_ZOOM)],
        ['0', fit],
        ['ArrowLeft', () => go(panBy(view(), KEY_PAN_PX, 0))],
        ['ArrowRight', () => go(panBy(view(), -KEY_PAN_PX, 0))],
        ['ArrowUp', () => go(panBy(view(), 0, KEY_PAN_PX))],
        ['ArrowDown', () => go(panBy(view(), 0, -KEY_PAN_PX))],
      ]);
      const act = keys.get(event.key);
      if (!act) return;
      event.preventDefault();
      act();
    };
    target.addEventListener('pointerdown', down);
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', up);
    target.addEventListener('pointercancel', up);
    target.addEventListener('pointerleave', leave);
    // a passive listener could not keep the column from scrolling
    target.addEventListener('wheel', wheel, { passive: false });
    target.addEventListener('keydown', key);
    return () => {
      target.removeEventListener('pointerdown', down);
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', up);
      target.removeEventListener('pointercancel', up);
      target.removeEventListener('pointerleave', leave);
      target.removeEventListener('wheel', wheel);
      target.removeEventListener('keydown', key);
    };
  }, [element]);
}
