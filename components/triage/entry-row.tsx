import { memo } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import type { ListItem } from '@/lib/contract/triage';
import { CELLS } from './entry-cell';
import { shownKey } from './entry-text.model';
import type { ColumnId } from './list-columns.model';

export type RowProps = {
  item: ListItem;
  index: number;
  now: string;
  ticked: boolean;
  open: boolean;
  cursor: boolean;
  columns: readonly ColumnId[];
  has_filler: boolean;
  onTick: (item: ListItem, on: boolean, range: boolean) => void;
  onOpen: (item: ListItem) => void;
};

export const rowId = (id: string) => `entry-${id}`;

/** A click opens, a tick selects. */
export const EntryRow = memo(function EntryRow({
  item,
  index,
  now,
  ticked,
  open,
  cursor,
  columns,
  has_filler,
  onTick,
  onOpen,
}: RowProps) {
  return (
    <tr
      id={rowId(item.id)}
      aria-rowindex={index + 2}
      aria-selected={ticked}
      className={[open && 'is-open', cursor && 'is-cursor'].filter(Boolean).join(' ') || undefined}
      onClick={() => onOpen(item)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click near the box from opening the entry */}
      <td className="c-sel" onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          className="check"
          tabIndex={-1}
          aria-label={`Tick ${shownKey(item)}`}
          checked={ticked}
          onChange={(event) =>
            onTick(item, event.target.checked, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
          }
        />
      </td>
      <td className="c-mark" title={item.failure_class}>
        <ClassMark failure_class={item.failure_class} label />
      </td>
      {columns.map((id) => {
        const { className, title, label, content } = CELLS[id](item, now);
        return (
          <td key={id} className={className} title={title} aria-label={label}>
            {content}
          </td>
        );
      })}
      {has_filler && <td />}
    </tr>
  );
});
