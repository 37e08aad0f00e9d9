import { memo } from 'react';
import { CLASS_SYMBOLS } from '@/components/ui/class-symbol';
import type { Layout } from './histogram.model';

const GAP = 2;
/** Wider bars say nothing more: a week on a wide screen stays a row of bars, not of blocks. */
const BAR_MAX = 32;

/** The stacked bars at their drawn size, so that nothing is scaled. A class that is there is at least 1 px high. */
export const HistogramBars = memo(function HistogramBars({
  layout,
  width,
  height,
  range,
  hovered,
}: {
  layout: Layout;
  width: number;
  height: number;
  range: [number, number] | null;
  hovered: number | null;
}) {
  const { columns, peak } = layout;
  const step = width / Math.max(1, columns.length);
  const bar = Math.min(BAR_MAX, Math.max(1, step - (step >= 5 ? GAP : 1)));
  const inset = bar === BAR_MAX ? (step - bar) / 2 : 0;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden focusable="false">
      {hovered !== null && <rect className="hovered" x={hovered * step - 1} y={0} width={step} height={height} />}
      {columns.map((column, i) => {
        const inside = !range || (i >= range[0] && i <= range[1]);
        const scale = peak ? height / peak.total : 0;
        let top = height;
        return (
          <g key={column.start} className={inside ? undefined : 'out'}>
            {column.counts.map(({ failure_class, count }) => {
              const tall = Math.max(1, count * scale);
              top -= tall;
              return (
                <rect
                  key={failure_class}
                  className={`k-${CLASS_SYMBOLS[failure_class].token}`}
                  x={i * step + inset}
                  y={Math.max(0, top)}
                  width={bar}
                  height={tall}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
});
