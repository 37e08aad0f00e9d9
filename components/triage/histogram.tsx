'use client';
import { useMemo, useRef, useState } from 'react';
import { boundText, countedText, countText } from '@/components/ui/number-text';
import { dayText, minuteText, periodText } from '@/components/ui/time-text';
import type { Filter } from '@/lib/contract/filter';
import {
  columnsOf,
  columnText,
  foldMarks,
  histogramLayout,
  offAxis,
  placeLabels,
  rangeSums,
  stepText,
  tickColumns,
  versionMarks,
  versionsIn,
} from './histogram.model';
import { HistogramBars } from './histogram-bars';
import { HistogramBrush } from './histogram-brush';
import { HistogramTip } from './histogram-tip';
import type { Shown } from './use-triage-answer';
import { useWidth } from './use-width';

const DAY_MS = 86_400_000;
/** Drawn before the width is known, e.g. on the server. */
const WIDTH_GUESS = 620;
/** Of a character and of the gaps in the head, at 11 px. */
const CHAR_PX = 6;
const GAPS_PX = 24;

/** When: failures over time by class. `since` and `until` do not narrow it; they are its brush. */
export function Histogram({
  shown,
  filter,
  onPeriod,
}: {
  shown: Shown;
  filter: Filter;
  onPeriod: (period: { since?: string; until?: string }, how: 'push' | 'replace') => void;
}) {
  const plot = useRef<HTMLDivElement>(null);
  const measured = useWidth(plot);
  const width = measured || WIDTH_GUESS;
  const { histogram, as_of } = shown.answer;
  const layout = useMemo(() => histogramLayout(histogram, as_of, width), [histogram, as_of, width]);
  const { columns } = layout;
  const committed = columnsOf(layout, filter.since, filter.until);
  const [dragged, setDragged] = useState<[number, number] | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const range = dragged ?? committed;
  const sums = rangeSums(layout, range);
  const name = `Failed ${stepText(layout.step_ms)}`;
  const period = dragged
    ? [...new Set([columns[dragged[0]]!, columns[dragged[1]]!].map((column) => columnText(column, as_of)))].join(' – ')
    : periodText(filter.since, filter.until, as_of);
  const ticks = tickColumns(columns.length, width);
  const atLeast = shown.answer.capped;
  const totals = `${period} ${boundText(sums.total, atLeast)}, peak ${countText(sums.peak)}`;
  const marks = placeLabels(
    foldMarks(versionMarks(layout, histogram.versions), width),
    width,
    (name.length + totals.length) * CHAR_PX + GAPS_PX,
  );
  const off = offAxis(shown.answer, Boolean(shown.filter.since || shown.filter.until));
  const known = shown.answer.facets.code_version.distinct;
  const hoveredColumn = hovered === null ? undefined : columns[hovered];
  return (
    <section className="hist" aria-label={name}>
      <div className="hist-h cap">
        <h2>{name}</h2>
        <span aria-live="off">
          {period && `${period} `}
          <b>{boundText(sums.total, atLeast)}</b>, peak {countText(sums.peak)}
        </span>
        {off !== null && off > 0 && (
          <span className="hist-off" title="Their clocks said a moment before 2000, in the future, or none at all">
            {countText(off)} before 2000 or in the future, not drawn
          </span>
        )}
      </div>
      <div className="hist-plot" ref={plot}>
        <div className="dims">
          <HistogramBars layout={layout} width={width} height={34} range={range} hovered={hovered} />
        </div>
        {marks.map(({ code_version, at, side, inside }) => (
          <div
            key={code_version}
            className={`vmark${side ? ` vmark-${side}` : ''}${inside ? ' vmark-in' : ''}`}
            style={{ left: `${at * 100}%` }}
          >
            {side && <span>{code_version}</span>}
          </div>
        ))}
        {columns.length === 0 && <p className="cap hist-none">Nothing that matches stands on the time axis.</p>}
        {marks.length > 0 && (
          <p className="sr">
            {versionsText(histogram.versions.length, known)} {histogram.versions.at(-1)?.code_version} is the newest.
          </p>
        )}
        {columns.length > 0 && (
          <HistogramBrush
            layout={layout}
            now={as_of}
            range={committed}
            dragged={dragged}
            onDrag={setDragged}
            onHover={setHovered}
            onPeriod={onPeriod}
          />
        )}
        {hoveredColumn && hovered !== null && !dragged && (
          <HistogramTip
            column={hoveredColumn}
            versions={versionsIn(hoveredColumn, histogram.versions)}
            marked={histogram.versions.length < known ? versionsText(histogram.versions.length, known) : null}
            now={as_of}
            at={(hovered + 0.5) / columns.length}
          />
        )}
      </div>
      <div className="hist-x cap" aria-hidden>
        {ticks.map((i, nth) => (
          <span
            key={i}
            className={nth === ticks.length - 1 ? 'end' : i < columns.length * 0.04 ? 'start' : undefined}
            style={{ left: nth === ticks.length - 1 ? '100%' : `${((i + 0.5) / columns.length) * 100}%` }}
          >
            {layout.step_ms < DAY_MS ? minuteText(columns[i]!.start) : dayText(columns[i]!.start, as_of)}
          </span>
        ))}
      </div>
    </section>
  );
}

/** `3 code versions are marked.`, `The newest 200 of 200,000 code versions are marked.` */
function versionsText(marked: number, known: number): string {
  return marked < known
    ? `The newest ${countText(marked)} of ${countText(known)} code versions are marked.`
    : `${countedText(marked, 'code version is', 'code versions are')} marked.`;
}
