import { useMemo } from 'react';
import { CLASS_SYMBOLS, symbolClass } from '@/components/ui/class-symbol';
import { SEEN_BY_ITSELF, shareOfOverview } from './evidence-features';
import type { EvidenceInput, EvidenceView } from './evidence-view';
import { insetCorner } from './inset-corner';
import { insetPaths } from './inset-paths';

const SIZE = { width: 92, height: 74 };
const PAD = 12;
const MOST_MARKS = 12;

/** Beside an overview in which the shape is a dot: the shape as it lands, with its faults. A click goes there. */
export function EvidenceInset({
  view,
  input,
  onOpen,
}: {
  view: EvidenceView;
  input: EvidenceInput;
  onOpen: () => void;
}) {
  const { shape, places } = view;
  const paths = useMemo(() => shape && insetPaths(shape, SIZE, PAD), [shape]);
  if (!paths || shareOfOverview(view) > SEEN_BY_ITSELF) return null;
  const { token } = CLASS_SYMBOLS[symbolClass(input.failure_class)];
  return (
    <button
      type="button"
      className={`map-inset ${insetCorner(view, input.evidence, input.tile)}`}
      title="Close-up"
      aria-label="Close-up of the shape as it lands"
      onClick={onOpen}
    >
      <svg {...SIZE} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden>
        <path d={paths.fill} fill={`var(--c-${token})`} fillOpacity={0.25} fillRule="evenodd" />
        <path d={paths.lines} fill="none" stroke={`var(--c-${token}-edge)`} strokeWidth={1.5} strokeLinejoin="round" />
        {paths.points.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={2.5} fill={`var(--c-${token})`} />
        ))}
        {input.faults.slice(0, MOST_MARKS).map((fault, i) => {
          const place = places[i];
          if (!place) return null;
          const [x, y] = paths.at(place);
          const note = fault.severity === 'note';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fault is its number
            <g key={i} className={`inset-f${note ? ' note' : ''}${i === input.current_fault ? ' current' : ''}`}>
              <circle cx={x} cy={y} r={5.5} />
              <text x={x} y={y + 2.75}>
                {i + 1}
              </text>
            </g>
          );
        })}
      </svg>
    </button>
  );
}
