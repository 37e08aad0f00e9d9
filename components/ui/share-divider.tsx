'use client';
import { useState } from 'react';
import { useDisplay } from './display';

const MIN = 0.3;
const MAX = 4;

/** The line between map and list: sets `--map-share`, the map's part where the list's is 1. */
export function ShareDivider({ label, start }: { label: string; start: number }) {
  const { sizes, change } = useDisplay();
  const [drag, setDrag] = useState<{ y: number; map: number; list: number } | null>(null);
  const share = sizes['map-share'] ?? start;
  const set = (value: number) =>
    change({ sizes: { 'map-share': Math.round(100 * Math.max(MIN, Math.min(MAX, value))) / 100 } });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a window splitter is a focusable separator; <hr> cannot hold its line
    <div
      className={`divider divider-y${drag ? ' dragging' : ''}`}
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={Math.round(100 * share)}
      aria-valuemin={100 * MIN}
      aria-valuemax={100 * MAX}
      onPointerDown={(event) => {
        const list = event.currentTarget.parentElement?.clientHeight ?? 0;
        if (event.button !== 0 || list === 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ y: event.clientY, map: share * list, list });
      }}
      onPointerMove={(event) => {
        if (!drag) return;
        const moved = event.clientY - drag.y;
        set((drag.map + moved) / Math.max(1, drag.list - moved));
      }}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => set(start)}
      onKeyDown={(event) => {
        const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        set(share + 0.1 * steps);
      }}
    />
  );
}
