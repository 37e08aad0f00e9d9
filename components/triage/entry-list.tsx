'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { ROW_HEIGHTS, useDisplay } from '@/components/ui/display';
import { countText } from '@/components/ui/number-text';
import type { Facet, ListItem, Sort } from '@/lib/contract/triage';
import { EntryHead } from './entry-head';
import { EntryRow, rowId } from './entry-row';
import { hasVerdicts } from './facet.model';
import { headTick, type Ticks } from './scope.model';
import type { Entries } from './use-entries';
import type { Shown } from './use-triage-answer';

const HEAD_PX = 26;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 40;

/** The entries, newest first: virtual, so that any number of them scrolls the same. */
export function EntryList({
  shown,
  entries,
  constant,
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
  constant: Map<Facet, string>;
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
  const { items, complete, failed, loadMore } = entries;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingStart: HEAD_PX,
    initialRect: { width: 700, height: 400 },
  });
  const rows = virtual.getVirtualItems();
  const lastRow = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!failed && lastRow >= items.length - AHEAD) loadMore();
  }, [failed, lastRow, items.length, loadMore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height asks for other offsets
  useEffect(() => virtual.measure(), [rowPx]);
  // a new answer begins at its top
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is the signal
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [shown]);
  const cursorIndex = cursorId === null ? -1 : items.findIndex(({ id }) => id === cursorId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a moved cursor scrolls
  useEffect(() => {
    if (cursorIndex >= 0) virtual.scrollToIndex(cursorIndex);
  }, [cursorIndex]);

  const hideTask = constant.has('task_name');
  const hideState = constant.has('state');
  const before = rows[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <div className="list-s dims" ref={scroller}>
      <table
        className={`tbl entries${hideTask && hideState ? ' lean' : ''}${hasVerdicts(shown.answer) ? '' : ' no-ver'}${items.some(({ fault_count }) => fault_count > 0) ? '' : ' no-fault'}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are opened and ticked: it is a grid
        role="grid"
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-rowcount={shown.answer.total + 1}
        aria-label={`${countText(shown.answer.total)} entries`}
        aria-multiselectable
        aria-activedescendant={cursorIndex >= 0 && cursorId ? rowId(cursorId) : undefined}
      >
        <EntryHead
          order={shown.order}
          tick={headTick(
            ticks,
            items.map(({ id }) => id),
          )}
          hideTask={hideTask}
          hideState={hideState}
          onSort={onSort}
          onTickAll={onTickAll}
        />
        <tbody>
          {before > 0 && (
            <tr className="spacer" aria-hidden>
              <td style={{ height: before }} />
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
                  hideTask={hideTask}
                  hideState={hideState}
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
      {!complete && (
        <p className="list-more faint">
          {failed ? (
            <>
              The next rows did not load.{' '}
              <button type="button" className="link" onClick={loadMore}>
                Load again
              </button>
            </>
          ) : (
            <i className="skel-bar" style={{ width: 180 }} />
          )}
        </p>
      )}
    </div>
  );
}
