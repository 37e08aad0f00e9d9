'use client';
import { Icon } from '@/components/ui/icon';
import type { Order } from '@/lib/api/triage';
import type { Sort } from '@/lib/contract/triage';

export function EntryHead({
  order,
  tick,
  hideTask,
  hideState,
  onSort,
  onTickAll,
}: {
  order: Order;
  tick: 'all' | 'some' | 'none';
  hideTask: boolean;
  hideState: boolean;
  onSort: (sort: Sort, dir: 'asc' | 'desc') => void;
  onTickAll: (on: boolean) => void;
}) {
  const sortable = (sort: Sort, className: string, label: string) => {
    const own = order.sort === sort;
    const dir = order.dir ?? 'desc';
    return (
      <th
        scope="col"
        className={className}
        {...(own ? { 'aria-sort': dir === 'asc' ? ('ascending' as const) : ('descending' as const) } : {})}
      >
        <button type="button" onClick={() => onSort(sort, own && dir === 'desc' ? 'asc' : 'desc')}>
          {label}
          {own && <Icon name={dir === 'asc' ? 'chevron-up' : 'arrow-down'} />}
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="c-sel">
          <input
            type="checkbox"
            className="check"
            aria-label="Tick the loaded rows"
            checked={tick === 'all'}
            ref={(box) => {
              if (box) box.indeterminate = tick === 'some';
            }}
            onChange={() => onTickAll(tick !== 'all')}
          />
        </th>
        <th scope="col" className="c-mark">
          <span className="sr">Class</span>
        </th>
        <th scope="col" className="c-key">
          Work key
        </th>
        {!hideTask && (
          <th scope="col" className="c-task">
            Task
          </th>
        )}
        <th scope="col" className="c-crs">
          Claimed
        </th>
        <th scope="col" className="c-ver">
          Verdict
        </th>
        <th scope="col" className="c-fault">
          Faults
        </th>
        <th scope="col" className="c-err">
          Error
        </th>
        {!hideState && (
          <th scope="col" className="c-state">
            State
          </th>
        )}
        <th scope="col" className="c-dist num">
          To tile, km
        </th>
        {sortable('attempts', 'c-att num', 'Times')}
        {sortable('first_seen', 'c-first num', 'First failed')}
        {sortable('failed_at', 'c-time num', 'Last failed')}
      </tr>
    </thead>
  );
}
