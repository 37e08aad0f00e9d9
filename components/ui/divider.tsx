'use client';
import { useRef, useState } from 'react';
import { useDisplay } from './display';

const STEP_PX = 16;

/**
 * The line between two columns, dragged or moved with the arrow keys. It sets the custom property `--<name>` in px, which
 * the layout uses, and remembers it in this browser. A double click goes back to the width it started with.
 */
export function Divider({
  name,
  label,
  min,
  max,
  start,
  grows,
}: {
  name: string;
  label: string;
  /** px */
  min: number;
  max: number;
  start: number;
  /** The direction of the pointer that makes the named column wider. */
  grows: 'left' | 'right';
}) {
  const { sizes, change } = useDisplay();
  const [drag, setDrag] = useState<{ x: number; size: number } | null>(null);
  const handle = useRef<HTMLDivElement>(null);
  const size = sizes[name] ?? start;
  const set = (px: number) => change({ sizes: { [name]: Math.round(Math.max(min, Math.min(max, px))) } });
  const sign = grows === 'left' ? -1 : 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a window splitter is a focusable separator; <hr> cannot hold its line
    <div
      ref={handle}
      className={`divider divider-x${drag ? ' dragging' : ''}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ x: event.clientX, size: handle.current?.parentElement?.clientWidth ?? size });
      }}
      onPointerMove={(event) => drag && set(drag.size + sign * (event.clientX - drag.x))}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => set(start)}
      onKeyDown={(event) => {
        const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        set(size + sign * steps * STEP_PX);
      }}
    />
  );
}
