'use client';
import { type PointerEvent, useRef, useState } from 'react';
import type { ColumnId } from './list-columns.model';

/** On which side of another column one is put. */
export type Side = 'before' | 'behind';

/** Below this a press on a head is a click. */
const DRAG_PX = 6;

/** Dragging the heads of columns: their edges to resize, themselves to move. What a drag comes to is told at its end. */
export function useColumnDrag({
  onResize,
  onMove,
}: {
  onResize: (id: ColumnId, px: number) => void;
  onMove: (id: ColumnId, beside: ColumnId, side: Side) => void;
}) {
  const head = useRef<HTMLTableSectionElement>(null);
  const press = useRef<{ id: ColumnId; x: number; px: number; dragged: boolean } | null>(null);
  const dragged = useRef(false);
  const [target, setTarget] = useState<{ id: ColumnId; side: Side } | null>(null);

  const heads = () =>
    [...(head.current?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])].filter((th) => th.offsetWidth > 0);
  const begin = (event: PointerEvent<HTMLElement>, id: ColumnId, th: HTMLElement | null) => {
    if (event.button !== 0 || !event.isPrimary) return;
    dragged.current = false;
    press.current = { id, x: event.clientX, px: th?.offsetWidth ?? 0, dragged: false };
  };
  const end = () => {
    press.current = null;
    setTarget(null);
  };

  /** The head under the pointer, and the half of it. */
  const under = (x: number) => {
    const all = heads();
    const th = all.find((each) => x < each.getBoundingClientRect().right) ?? all.at(-1);
    if (!th) return null;
    const { left, width } = th.getBoundingClientRect();
    const side: Side = x < left + width / 2 ? 'before' : 'behind';
    return { id: th.dataset.column as ColumnId, side };
  };

  // the head would take what happens on its edge for a drag of its own
  const resizing = (id: ColumnId) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      begin(event, id, event.currentTarget.parentElement);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      event.stopPropagation();
      const from = press.current;
      if (from) onResize(id, from.px + event.clientX - from.x);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      event.stopPropagation();
      end();
    },
    onPointerCancel: end,
    onClick: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  });

  const moving = (id: ColumnId) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => begin(event, id, event.currentTarget),
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = press.current;
      // a finger scrolls the list
      if (!from || event.pointerType === 'touch') return;
      if (!from.dragged && Math.abs(event.clientX - from.x) > DRAG_PX) {
        from.dragged = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (from.dragged) setTarget(under(event.clientX));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = press.current;
      end();
      if (!from?.dragged) return;
      dragged.current = true;
      const to = under(event.clientX);
      // a quick pointer was over another head before this one held it
      if (to && to.id !== from.id) onMove(from.id, to.id, to.side);
    },
    onPointerCancel: end,
  });

  return {
    head,
    landing: target?.id ?? null,
    side: target?.side ?? null,
    resizing,
    moving,
    /** Whether the click that follows is the end of a drag. */
    wasDragged: () => {
      const was = dragged.current;
      dragged.current = false;
      return was;
    },
  };
}
export type ColumnDrag = ReturnType<typeof useColumnDrag>;
