'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { ROW_HEIGHTS, useDisplay } from '@/components/ui/display';
import { countText } from '@/components/ui/number-text';
import type { ListItem, Sort } from '@/lib/contract/triage';
import { EntryHead } from './entry-head';
import { EntryRow, rowId } from './entry-row';
import { hasVerdicts } from './facet.model';
import type { Columns } from './list-column-choice';
import { type ColumnId, layoutOf, movedBeside, USUAL, withWidth } from './list-columns.model';
import { useKeptPlace } from './list-kept-place';
import { headTick, type Ticks } from './scope.model';
import type { Entries } from './use-entries';
import type { Shown } from './use-triage-answer';

const HEAD_PX = 26;
/** Rows before either end at which the next page is asked for. */
const AHEAD = 40;

/** The entries in their order: virtual, so that any number of them scrolls the same, in both directions. */
export function EntryList({
  shown,
  entries,
  columns: chosen,
  hidden,
  ticks,
  openId,
  cursorId,
  onSort,
  onTick,
  onTickAll,
  onOpen,
  onKeyDown,
}: {
  shown: Shown;
  entries: Entries;
  columns: Columns;
  /** Columns that say the same in every row: they stand in the bar. */
  hidden: ReadonlyMap<ColumnId, string>;
  ticks: Ticks;
  openId: string | null;
  cursorId: string | null;
  onSort: (sort: Sort, dir: 'asc' | 'desc') => void;
  onTick: (item: ListItem, on: boolean, range: boolean) => void;
  onTickAll: (on: boolean) => void;
  onOpen: (item: ListItem) => void;
  /** Arrows, Enter and Space while the grid has the focus. */
  onKeyDown: (event: React.KeyboardEvent) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = ROW_HEIGHTS[useDisplay().density];
  const { items, begins, ends, failed, failedBefore, loadMore, loadBefore } = entries;
  // room for what is said while rows before the first one load
  const paddingStart = begins ? 0 : rowPx;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    paddingStart,
    scrollPaddingStart: HEAD_PX,
    initialRect: { width: 700, height: 400 },
  });
  const rows = virtual.getVirtualItems();
  const firstRow = rows[0]?.index ?? 0;
  const lastRow = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!failed && lastRow >= items.length - AHEAD) loadMore();
  }, [failed, lastRow, items.length, loadMore]);
  // by the place itself: the rows that are drawn follow it late, and rows that came before have just moved it
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first row is another place
  useEffect(() => {
    const top_px = scroller.current?.scrollTop ?? 0;
    if (!failedBefore && top_px < AHEAD * rowPx) loadBefore();
  }, [failedBefore, firstRow, items.length, rowPx, loadBefore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height asks for other offsets
  useEffect(() => virtual.measure(), [rowPx]);
  useKeptPlace(scroller, shown, items, rowPx, paddingStart);
  const cursorIndex = cursorId === null ? -1 : items.findIndex(({ id }) => id === cursorId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a moved cursor scrolls, not rows that come before it
  useEffect(() => {
    if (cursorIndex >= 0) virtual.scrollToIndex(cursorIndex);
  }, [cursorId, cursorIndex >= 0]);

  const layout = useMemo(
    () => (chosen.choice ? layoutOf(chosen.choice, new Set(hidden.keys())) : null),
    [chosen.choice, hidden],
  );
  const columns = useMemo(
    () => (layout ? layout.columns.map(({ id }) => id) : USUAL.filter((id) => !hidden.has(id))),
    [layout, hidden],
  );
  const has_filler = layout?.has_filler ?? false;
  const before = rows[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <div className="list-s dims" ref={scroller}>
      <table
        className={`tbl entries${layout ? ' chosen' : roomClasses(shown, items, hidden)}`}
        style={layout ? { minWidth: layout.total_px } : undefined}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are opened and ticked: it is a grid
        role="grid"
        tabIndex={0}
        onKeyDown={onKeyDown}
        // entered at a moment: how many rows lie before is not known
        aria-rowcount={begins ? shown.answer.total + 1 : -1}
        aria-label={`${countText(shown.answer.total)} entries`}
        aria-multiselectable
        aria-activedescendant={cursorIndex >= 0 && cursorId ? rowId(cursorId) : undefined}
      >
        {layout && (
          <colgroup>
            <col style={{ width: 36 }} />
            <col style={{ width: 24 }} />
            {layout.columns.map(({ id, px, grows }) => (
              <col key={id} style={grows ? undefined : { width: px }} />
            ))}
            {has_filler && <col />}
          </colgroup>
        )}
        <EntryHead
          order={shown.order}
          tick={headTick(
            ticks,
            items.map(({ id }) => id),
          )}
          columns={columns}
          has_filler={has_filler}
          onSort={onSort}
          onTickAll={onTickAll}
          onResize={(id, px) => chosen.changeBy((from) => withWidth(from, id, px))}
          onMove={(id, beside, side) => chosen.changeBy((from) => movedBeside(from, id, beside, side))}
        />
        <tbody>
          {before > 0 && (
            <tr className="spacer" aria-hidden={!failedBefore}>
              <td colSpan={columns.length + 2} style={{ height: before }}>
                {!begins && <Waiting failed={failedBefore} what="The rows before" onRetry={loadBefore} />}
              </td>
            </tr>
          )}
          {rows.map(({ index }) => {
            const item = items[index];
            return (
              item && (
                <EntryRow
                  key={item.id}
                  item={item}
                  index={index}
                  now={shown.answer.as_of}
                  ticked={ticks.kind === 'all' || ticks.ids.has(item.id)}
                  open={item.id === openId}
                  cursor={item.id === cursorId}
                  columns={columns}
                  has_filler={has_filler}
                  onTick={onTick}
                  onOpen={onOpen}
                />
              )
            );
          })}
          {after > 0 && (
            <tr className="spacer" aria-hidden>
              <td style={{ height: after }} />
            </tr>
          )}
        </tbody>
      </table>
      {!ends && (
        <div className="list-more">
          <Waiting failed={failed} what="The next rows" onRetry={loadMore} />
        </div>
      )}
    </div>
  );
}

/** What the style sheet needs to know to share out the room among the usual columns. */
function roomClasses(shown: Shown, items: readonly ListItem[], hidden: ReadonlyMap<ColumnId, string>): string {
  const lean = hidden.has('task_name') && hidden.has('state');
  const is_faulty = items.some(({ fault_count }) => fault_count > 0);
  return `${lean ? ' lean' : ''}${hasVerdicts(shown.answer) ? '' : ' no-ver'}${is_faulty ? '' : ' no-fault'}`;
}

function Waiting({ failed, what, onRetry }: { failed: boolean; what: string; onRetry: () => void }) {
  if (!failed) return <i className="skel-bar" style={{ width: 180 }} />;
  return (
    <span className="faint">
      {what} did not load.{' '}
      <button type="button" className="link" onClick={onRetry}>
        Load again
      </button>
    </span>
  );
}
