import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText, kilometresText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { ListItem } from '@/lib/contract/triage';
import { errorLine, faultTitle, keyTitle, shortenMiddle, shownKey } from './entry-text.model';
import { reasonText } from './ledger.model';
import type { ColumnId } from './list-columns.model';

type Cell = { className?: string; title?: string; label?: string; content: ReactNode };

/** What stands in a column of a row; `now` is the moment of the answer. */
export const CELLS: Record<ColumnId, (item: ListItem, now: string) => Cell> = {
  work_key: (item) => ({
    className: 'c-key mono',
    title: keyTitle(item),
    // named whole: the two parts of a shortened key would be read as two words
    label: shownKey(item),
    content: <KeyText text={shortenMiddle(shownKey(item), 40)} />,
  }),
  task_name: ({ task_name }) => ({ className: 'c-task mono dim', title: task_name, content: task_name }),
  src_crs: ({ src_crs }) => ({
    className: `c-crs mono${src_crs === null ? ' none' : ''}`,
    title: src_crs ?? 'no claim',
    content: src_crs ?? 'none',
  }),
  crs_verdict: ({ crs_verdict }) => ({
    className: `c-ver${crs_verdict === 'agrees' || !crs_verdict ? ' none' : ''}`,
    content: crs_verdict ?? 'none yet',
  }),
  faults: (item) => ({
    className: 'c-fault',
    title: faultTitle(item),
    content: item.fault_count === 0 ? <None /> : <FaultText item={item} />,
  }),
  error: ({ error_type, error_text }) => {
    const { short, full } = errorLine(error_type, error_text);
    return { className: 'c-err dim', title: full, content: short };
  },
  state: ({ state, resolution }) => ({
    className: 'c-state dim',
    content: (resolution ?? state).replaceAll('_', ' '),
  }),
  tile_distance: ({ unmappable_reason, tile_distance_m }) => ({
    className: 'c-dist num',
    content: unmappable_reason ? (
      <span className="none" title={reasonText(unmappable_reason)}>
        not on map
      </span>
    ) : tile_distance_m === null ? (
      <None />
    ) : (
      kilometresText(tile_distance_m)
    ),
  }),
  attempts: ({ attempts, reopen_count }) => ({
    className: 'c-att num',
    title: attempts + (reopen_count > 0 ? `×, came back ${reopen_count}×` : '×'),
    content: (
      <>
        {reopen_count > 0 && (
          <span className="back">
            <Icon name="rotate-ccw" />
            <span className="sr">came back, </span>
          </span>
        )}
        {attempts}×
      </>
    ),
  }),
  first_seen: ({ first_seen }, now) => ({
    className: 'c-first num dim',
    title: exactText(first_seen),
    content: rowTimeText(first_seen, now),
  }),
  failed_at: ({ failed_at }, now) => ({
    className: 'c-time num',
    title: exactText(failed_at),
    content: rowTimeText(failed_at, now),
  }),
  failure_class: ({ failure_class }) => ({ title: failure_class, content: failure_class }),
  error_class: ({ error_class }) => ({ className: 'dim', content: error_class }),
  error_type: ({ error_type }) => text(error_type, 'mono'),
  signature: ({ signature }) => text(signature, 'mono dim'),
  code_version: ({ code_version }) => text(code_version, 'mono'),
  queue: ({ queue }) => text(queue, 'mono dim'),
  srid: ({ srid }) => text(srid === null ? null : String(srid), 'num'),
  redrives: ({ redrive_attempts, max_redrives }) => ({
    className: 'num',
    title: `${redrive_attempts} of ${max_redrives} redrives`,
    content: `${redrive_attempts} of ${max_redrives}`,
  }),
  position: ({ position, unmappable_reason }) =>
    position
      ? text(position.map((degrees) => degrees.toFixed(4)).join(' '), 'num')
      : {
          className: 'num none',
          title: unmappable_reason ? reasonText(unmappable_reason) : 'no position',
          content: 'not on map',
        },
  id: ({ id }) => text(id, 'num dim'),
};

function text(value: string | null, className: string): Cell {
  return value === null ? { className, content: <None /> } : { className, title: value, content: value };
}

function None() {
  return <span className="none">–</span>;
}

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
function KeyText({ text: key }: { text: string }) {
  return (
    <span className="key-text">
      <span className="trunc">{key.slice(0, -TAIL)}</span>
      <span>{key.slice(-TAIL)}</span>
    </span>
  );
}
