'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { foldNumbers } from '@/components/triage/entry-text.model';
import { useDisplay } from '@/components/ui/display';
import { countText } from '@/components/ui/number-text';
import { clockText, dayText, exactText } from '@/components/ui/time-text';
import type { Action, OperationItem } from '@/lib/contract/operation';
import { OutcomePill } from './operation-pill';
import { SkipReason } from './skip-reason';
import { splitReason } from './skip-words';

/** px, as the style sheet draws them */
const ROW_PX = { compact: 27, default: 31, roomy: 39 } as const;
const AHEAD = 30;

/** The items, only those in sight in the document. */
export function ItemTable({
  items,
  total,
  action,
  now,
  loading,
  onNearEnd,
}: {
  items: readonly OperationItem[];
  total: number;
  action: Action;
  now: string;
  loading: boolean;
  /** Null where there is no more, or it is on its way. */
  onNearEnd: (() => void) | null;
}) {
  const scroller = useRef<HTMLElement>(null);
  const rowPx = ROW_PX[useDisplay().density];
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
    initialRect: { width: 900, height: 400 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height asks for other offsets
  useEffect(() => virtual.measure(), [rowPx]);
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onNearEnd && last >= items.length - AHEAD) onNearEnd();
  }, [onNearEnd, last, items.length]);
  const before = rows[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="op-scroll" ref={scroller} tabIndex={0} aria-label="Entries of this operation">
      <table className="tbl op-items" aria-rowcount={total + 1} aria-busy={loading}>
        <thead>
          <tr>
            <th className="num i-t">Time</th>
            <th className="i-k">Work key</th>
            <th className="i-n">Task</th>
            <th className="i-o">Outcome</th>
            <th>{action === 'redrive' ? 'Answer, or why left out' : 'Why left out'}</th>
            {action === 'redrive' && <th className="num i-m">Took, ms</th>}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {rows.map(({ index }) => {
            const item = items[index];
            return item && <Row key={item.entry_id} item={item} index={index} action={action} now={now} />;
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
      {loading && <ItemSkeleton />}
    </section>
  );
}

function Row({ item, index, action, now }: { item: OperationItem; index: number; action: Action; now: string }) {
  const { entry_id, work_key, task_name, outcome, detail, took_ms, done_at } = item;
  return (
    <tr aria-rowindex={index + 2}>
      <td className="num mono dim" title={done_at ? exactText(done_at) : undefined}>
        {done_at && (done_at.slice(0, 10) === now.slice(0, 10) ? clockText(done_at) : dayText(done_at, now))}
      </td>
      <td className="mono" title={work_key}>
        <Link className="op-key" href={`/dead-letters/${entry_id}`} prefetch={false}>
          {work_key}
        </Link>
      </td>
      <td className="mono dim" title={task_name}>
        {task_name}
      </td>
      <td>
        <OutcomePill outcome={outcome} />
      </td>
      <td className="dim" title={detail ?? undefined}>
        {outcome === 'skipped' ? (
          <SkipReason {...splitReason(detail ?? '')} action={action} />
        ) : outcome === 'in_flight' ? (
          'sent, no answer yet'
        ) : outcome === 'accepted' ? (
          (detail ?? 'taken on; its outcome follows')
        ) : (
          foldNumbers(detail ?? '')
        )}
      </td>
      {action === 'redrive' && (
        <td className="num">
          {took_ms === null ? <span className="faint">{outcome === 'in_flight' && '…'}</span> : countText(took_ms)}
        </td>
      )}
    </tr>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr className="spacer" aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

function ItemSkeleton() {
  return (
    <div className="op-skel" aria-hidden>
      {[148, 132, 156, 140, 150, 128].map((width) => (
        <i key={width} className="skel-bar" style={{ width }} />
      ))}
    </div>
  );
}
