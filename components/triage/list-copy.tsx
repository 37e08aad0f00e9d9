'use client';
import { useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { boundText, countedText, countText } from '@/components/ui/number-text';
import { useToast } from '@/components/ui/toast';
import type { ListItem } from '@/lib/contract/triage';
import { type Columns, shownColumns } from './list-column-choice';
import { rowsAsCsv } from './list-columns.model';
import type { Ticks } from './scope.model';

/** The button that the key presses. */
export const COPY_ID = 'copy-rows';

/** Copies the ticked rows, or those loaded where none is ticked, with the columns on the page. */
export function CopyRows({
  items,
  total,
  capped,
  ticks,
  columns,
}: {
  items: readonly ListItem[];
  total: number;
  /** There are more than `total`. */
  capped: boolean;
  ticks: Ticks;
  columns: Columns;
}) {
  const toast = useToast();
  // a ticked row can have been loaded in another order or filter
  const seen = useRef(new Map<string, ListItem>());
  useEffect(() => {
    for (const item of items) seen.current.set(item.id, item);
  }, [items]);
  const ticked = ticks.kind === 'ids' && ticks.ids.size > 0 ? ticks.ids : null;
  const what = ticked ? `the ${countText(ticked.size)} ticked` : `the ${countText(items.length)} loaded`;
  const copy = () => {
    const rows = ticked ? [...ticked].flatMap((id) => seen.current.get(id) ?? []) : items;
    const ids = columns.choice ? columns.choice.map(({ id }) => id) : shownColumns();
    const rest =
      ticked || (rows.length >= total && !capped) ? '' : `, of ${boundText(total, capped)}; Export has them all`;
    navigator.clipboard.writeText(rowsAsCsv(rows, ids)).then(
      () => toast({ text: `${countedText(rows.length, 'row', 'rows')} copied as CSV${rest}` }),
      () => toast({ tone: 'warn', text: 'The browser did not allow copying' }),
    );
  };
  return (
    <button
      type="button"
      id={COPY_ID}
      className="btn btn-quiet btn-icon btn-s"
      aria-label={`Copy ${what} rows as CSV`}
      title={`Copy ${what} rows as CSV (C)`}
      onClick={copy}
    >
      <Icon name="copy" />
    </button>
  );
}
