'use client';
import { type MouseEvent, useMemo, useRef, useState } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { CLASS_SYMBOLS, symbolClass } from '@/components/ui/class-symbol';
import { countText } from '@/components/ui/number-text';
import { dayText } from '@/components/ui/time-text';
import { type Filter, filterToSearch } from '@/lib/contract/filter';
import { tickColumns } from '../histogram.model';
import type { Shown } from '../use-triage-answer';
import { useWidth } from '../use-width';
import { type ClassRow, cellFilter, classTime, columnName, movedPlace, type Place, shade } from './class-time.model';
import './signatures.css';

/** Drawn before the width is known. */
const WIDTH_GUESS = 620;
const NAME_PX = 172;
const CELL_MIN_PX = 14;

/** When what failed: a cell for each class and time, which leads to its entries. Arrow keys go from cell to cell. */
export default function ClassTimeTable({ shown, onFilter }: { shown: Shown; onFilter: (filter: Filter) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box) || WIDTH_GUESS;
  const { answer, filter } = shown;
  const { histogram, as_of } = answer;
  const most = Math.max(4, Math.floor((width - NAME_PX) / CELL_MIN_PX));
  const table = useMemo(() => classTime(histogram, as_of, most), [histogram, as_of, most]);
  const { rows, columns, peak } = table;
  const [asked, setAsked] = useState<Place>({ row: 0, column: columns.length - 1 });
  const [pointed, setPointed] = useState<Place | null>(null);
  const at = { row: Math.min(asked.row, rows.length - 1), column: Math.min(asked.column, columns.length - 1) };
  const [focused, setFocused] = useState(false);
  const told = pointed ?? (focused ? at : null);

  if (columns.length === 0)
    return (
      <div className="list-s dims" ref={box}>
        <p className="void dim">None of what matches failed at a moment that the time axis has.</p>
      </div>
    );
  const onKeyDown = (event: React.KeyboardEvent) => {
    const next = movedPlace(at, event.key, rows.length, columns.length);
    if (!next) return;
    event.preventDefault();
    setAsked(next);
    box.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  };
  const ticks = new Set(tickColumns(columns.length, width - NAME_PX, 64));
  return (
    <div className="list-s dims class-time" ref={box}>
      <p className="cap class-time-told" aria-hidden>
        {told ? wordsOf(rows[told.row], told.column) : 'Failed by class and time; a cell leads to its entries'}
        {told && <b>{countText(rows[told.row]?.counts[told.column] ?? 0)}</b>}
      </p>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys go from cell to cell: it is a grid
        role="grid"
        aria-label="Failed by class and time"
        onKeyDown={onKeyDown}
        onMouseLeave={() => setPointed(null)}
      >
        <thead>
          <tr>
            <td />
            {columns.map((column, i) => (
              <th key={column.start} scope="col" aria-label={columnName(column, as_of)}>
                {ticks.has(i) && <span aria-hidden>{dayText(column.start, as_of)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={row.failure_class ?? 'others'}>
              <th scope="row">
                <ClassMark failure_class={row.failure_class ?? 'other'} />
                <span className="trunc">{nameOf(row)}</span>
                <b>{countText(row.total)}</b>
              </th>
              {row.counts.map((count, c) => (
                <td key={columns[c]!.start} onMouseEnter={() => setPointed({ row: r, column: c })}>
                  <Cell
                    place={`${r} ${c}`}
                    label={`${wordsOf(row, c)}: ${countText(count)}`}
                    shade={shade(count, peak)}
                    token={CLASS_SYMBOLS[symbolClass(row.failure_class ?? '')].token}
                    filter={count > 0 ? cellFilter(filter, table, r, c) : null}
                    tabbable={r === at.row && c === at.column}
                    onFocus={(has) => {
                      setFocused(has);
                      if (has) setAsked({ row: r, column: c });
                    }}
                    onFilter={onFilter}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

  function wordsOf(row: ClassRow | undefined, column: number): string {
    return `${row ? nameOf(row) : ''}, ${columnName(columns[column]!, as_of)}`;
  }
}

function Cell({
  place,
  label,
  shade: depth,
  token,
  filter,
  tabbable,
  onFocus,
  onFilter,
}: {
  place: string;
  label: string;
  shade: number;
  token: string;
  filter: Filter | null;
  tabbable: boolean;
  onFocus: (has: boolean) => void;
  onFilter: (filter: Filter) => void;
}) {
  const common = {
    'data-cell': place,
    'aria-label': label,
    title: label,
    tabIndex: tabbable ? 0 : -1,
    onFocus: () => onFocus(true),
    onBlur: () => onFocus(false),
  };
  // arrow keys pass over the empty cells too, which say 0
  if (!filter) return <span role="img" {...common} />;
  return (
    <a
      {...common}
      className={`k-${token}`}
      data-shade={depth}
      href={`/?${filterToSearch(filter)}`}
      onClick={(event: MouseEvent) => {
        // a new tab is the browser's matter
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onFilter(filter);
      }}
    >
      {/* the colour is for the eye, the label says the number */}
      <span aria-hidden />
    </a>
  );
}

function nameOf({ failure_class, words }: ClassRow): string {
  return failure_class ?? `${words.length} other words`;
}
