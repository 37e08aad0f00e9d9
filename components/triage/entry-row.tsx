import { memo } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { Icon } from '@/components/ui/icon';
import { countText, kilometresText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { ListItem } from '@/lib/contract/triage';
import { errorLine, faultTitle, keyTitle, shortenMiddle, shownKey } from './entry-text.model';
import { reasonText } from './ledger.model';

export type RowProps = {
  item: ListItem;
  index: number;
  now: string;
  ticked: boolean;
  open: boolean;
  cursor: boolean;
  /** A column with one value stands in the bar over the list instead. */
  hideTask: boolean;
  hideState: boolean;
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
  hideTask,
  hideState,
  onTick,
  onOpen,
}: RowProps) {
  const error = errorLine(item.error_type, item.error_text);
  const times = item.attempts + (item.reopen_count > 0 ? `×, came back ${item.reopen_count}×` : '×');
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
      {/* named whole: the two parts of a shortened key would be read as two words */}
      <td className="c-key mono" title={keyTitle(item)} aria-label={shownKey(item)}>
        <KeyText text={shortenMiddle(shownKey(item), 40)} />
      </td>
      {!hideTask && (
        <td className="c-task mono dim" title={item.task_name}>
          {item.task_name}
        </td>
      )}
      <td className={`c-crs mono${item.src_crs === null ? ' none' : ''}`} title={item.src_crs ?? 'no claim'}>
        {item.src_crs ?? 'none'}
      </td>
      <td className={`c-ver${item.crs_verdict === 'agrees' || !item.crs_verdict ? ' none' : ''}`}>
        {item.crs_verdict ?? 'none yet'}
      </td>
      <td className="c-fault" title={faultTitle(item)}>
        {item.fault_count === 0 ? <span className="none">–</span> : <FaultText item={item} />}
      </td>
      <td className="c-err dim" title={error.full}>
        {error.short}
      </td>
      {!hideState && <td className="c-state dim">{(item.resolution ?? item.state).replaceAll('_', ' ')}</td>}
      <td className="c-dist num">
        {item.unmappable_reason ? (
          <span className="none" title={reasonText(item.unmappable_reason)}>
            not on map
          </span>
        ) : item.tile_distance_m === null ? (
          <span className="none">–</span>
        ) : (
          kilometresText(item.tile_distance_m)
        )}
      </td>
      <td className="c-att num" title={times}>
        {item.reopen_count > 0 && (
          <span className="back">
            <Icon name="rotate-ccw" />
            <span className="sr">came back, </span>
          </span>
        )}
        {item.attempts}×
      </td>
      <td className="c-first num dim" title={exactText(item.first_seen)}>
        {rowTimeText(item.first_seen, now)}
      </td>
      <td className="c-time num" title={exactText(item.failed_at)}>
        {rowTimeText(item.failed_at, now)}
      </td>
    </tr>
  );
});

/** The first kind, and how many faults there are where it is more than that one. */
function FaultText({ item: { fault_codes, fault_count } }: { item: ListItem }) {
  return (
    <span className="fault-text">
      <span className="trunc">{fault_codes[0] ?? 'faults'}</span>
      {fault_count > 1 && <span className="num dim">{countText(fault_count)}</span>}
    </span>
  );
}

/** What tells one key from its neighbours stands at its end. */
const TAIL = 9;

/** A key that is shortened in the middle, wherever the column ends. */
function KeyText({ text }: { text: string }) {
  return (
    <span className="key-text">
      <span className="trunc">{text.slice(0, -TAIL)}</span>
      <span>{text.slice(-TAIL)}</span>
    </span>
  );
}
