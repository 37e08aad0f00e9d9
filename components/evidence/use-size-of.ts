'use client';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Size } from './view.model';

/** Tells the size of an element at once and whenever it changes. */
export function useSizeOf(element: RefObject<HTMLElement | null>, tell: (size: Size) => void): void {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const see = () => latest.current({ width: target.clientWidth, height: target.clientHeight });
    const observer = new ResizeObserver(see);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
}
