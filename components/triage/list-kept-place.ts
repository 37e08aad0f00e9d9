'use client';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { ListItem } from '@/lib/contract/triage';
import type { Shown } from './use-triage-answer';

/** Rows that come before those on the page push nothing down: the list stays where it is. A new answer begins at its top. */
export function useKeptPlace(
  scroller: RefObject<HTMLElement | null>,
  shown: Shown,
  items: readonly ListItem[],
  rowPx: number,
  paddingStart: number,
): void {
  const before = useRef<{ shown: Shown; first: string | undefined; paddingStart: number } | null>(null);
  useLayoutEffect(() => {
    const was = before.current;
    const element = scroller.current;
    before.current = { shown, first: items[0]?.id, paddingStart };
    if (!element) return;
    if (!was || was.shown !== shown) {
      element.scrollTop = paddingStart;
      return;
    }
    const added = was.first === undefined ? 0 : items.findIndex(({ id }) => id === was.first);
    const moved = Math.max(0, added) * rowPx + paddingStart - was.paddingStart;
    if (moved !== 0) element.scrollTop += moved;
  }, [scroller, shown, items, rowPx, paddingStart]);
}
