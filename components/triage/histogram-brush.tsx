'use client';
import { useRef } from 'react';
import { columnText, type Layout, periodOf } from './histogram.model';

type Period = { since?: string; until?: string };
type Drag = { anchor: number; moved: boolean };

/**
 * The brush over the bars: drag selects a period, a click one bar, a click inside the period or a double click clears it,
 * its grips change one end. For the keyboard the ends are two sliders over the bars.
 */
export function HistogramBrush({
  layout,
  now,
  range,
  dragged,
  onDrag,
  onHover,
  onPeriod,
}: {
  layout: Layout;
  now: string;
  range: [number, number] | null;
  dragged: [number, number] | null;
  onDrag: (range: [number, number] | null) => void;
  onHover: (column: number | null) => void;
  onPeriod: (period: Period, how: 'push' | 'replace') => void;
}) {
  const field = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const count = layout.columns.length;
  const shown = dragged ?? range;

  const columnAt = (clientX: number) => {
    const box = field.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.max(0, Math.min(count - 1, Math.floor(((clientX - box.left) / box.width) * count)));
  };
  const span = (a: number, b: number): [number, number] => [Math.min(a, b), Math.max(a, b)];
  const start = (event: React.PointerEvent, anchor: number, grip: boolean) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    field.current?.setPointerCapture(event.pointerId);
    drag.current = { anchor, moved: grip };
    onHover(null);
    if (!grip) onDrag([anchor, anchor]);
  };
  const move = (event: React.PointerEvent) => {
    const column = columnAt(event.clientX);
    if (!drag.current) {
      onHover(column);
      return;
    }
    if (column !== drag.current.anchor) drag.current.moved = true;
    onDrag(span(drag.current.anchor, column));
  };
  const end = (event: React.PointerEvent) => {
    if (!drag.current) return;
    const { anchor, moved } = drag.current;
    drag.current = null;
    const column = columnAt(event.clientX);
    onDrag(null);
    const inside = range !== null && column >= range[0] && column <= range[1];
    if (!moved && inside) onPeriod({}, 'push');
    else onPeriod(periodOf(layout, anchor, column), 'push');
  };
  const cancel = () => {
    drag.current = null;
    onDrag(null);
  };
  const slide = (which: 0 | 1, value: number) => {
    const [first, last] = range ?? [0, count - 1];
    const next = which === 0 ? span(Math.min(value, last), last) : span(first, Math.max(value, first));
    onPeriod(next[0] === 0 && next[1] === count - 1 ? {} : periodOf(layout, next[0], next[1]), 'replace');
  };
  const percent = (column: number) => `${(column / count) * 100}%`;
  const slider = (which: 0 | 1, label: string) => {
    const at = (range ?? [0, count - 1])[which];
    return (
      <input
        className="brush-slider"
        type="range"
        aria-label={label}
        aria-valuetext={columnText(layout.columns[at]!, now)}
        min={0}
        max={count - 1}
        value={at}
        onChange={(event) => slide(which, Number(event.target.value))}
        onKeyDown={(event) => event.key === 'Escape' && range && onPeriod({}, 'push')}
        style={{ left: percent(which === 0 ? at : at + 1) }}
      />
    );
  };
  return (
    <div
      ref={field}
      className="brush-field"
      onPointerDown={(event) => start(event, columnAt(event.clientX), false)}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={cancel}
      onPointerLeave={() => onHover(null)}
    >
      {shown && (
        <>
          <div className="brush" style={{ left: percent(shown[0]), right: percent(count - 1 - shown[1]) }} />
          <div
            className="brush-grip"
            style={{ left: percent(shown[0]) }}
            onPointerDown={(event) => start(event, shown[1], true)}
          />
          <div
            className="brush-grip"
            style={{ left: percent(shown[1] + 1) }}
            onPointerDown={(event) => start(event, shown[0], true)}
          />
        </>
      )}
      {slider(0, 'Failed from')}
      {slider(1, 'Failed until')}
    </div>
  );
}
