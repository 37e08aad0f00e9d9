'use client';
import { Icon } from '@/components/ui/icon';
import type { Order } from '@/lib/api/triage';
import type { Sort } from '@/lib/contract/triage';
import { type ColumnDrag, type Side, useColumnDrag } from './list-column-drag';
import { type ColumnId, columnOf } from './list-columns.model';

/** The class of a head that the style sheet shows or hides by the room there is, as its cells have it. */
const CLASS_NAMES: Partial<Record<ColumnId, string>> = {
  work_key: 'c-key',
  task_name: 'c-task',
  src_crs: 'c-crs',
  crs_verdict: 'c-ver',
  faults: 'c-fault',
  error: 'c-err',
  state: 'c-state',
  tile_distance: 'c-dist',
  attempts: 'c-att',
  first_seen: 'c-first',
  failed_at: 'c-time',
};

/** The heads of the columns: a click sorts where there is an order, a drag moves the column, its right edge resizes it. */
export function EntryHead({
  order,
  tick,
  columns,
  has_filler,
  onSort,
  onTickAll,
  ...changes
}: {
  order: Order;
  tick: 'all' | 'some' | 'none';
  columns: readonly ColumnId[];
  has_filler: boolean;
  onSort: (sort: Sort, dir: 'asc' | 'desc') => void;
  onTickAll: (on: boolean) => void;
  onResize: (id: ColumnId, px: number) => void;
  onMove: (id: ColumnId, beside: ColumnId, side: Side) => void;
}) {
  const drag = useColumnDrag(changes);
  return (
    <thead ref={drag.head}>
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
        {columns.map((id) => (
          <ColumnHead key={id} id={id} order={order} drag={drag} onSort={onSort} />
        ))}
        {has_filler && <th aria-hidden />}
      </tr>
    </thead>
  );
}

function ColumnHead({
  id,
  order,
  drag,
  onSort,
}: {
  id: ColumnId;
  order: Order;
  drag: ColumnDrag;
  onSort: (sort: Sort, dir: 'asc' | 'desc') => void;
}) {
  const { title, head = title, sort, numeric } = columnOf(id);
  const own = sort !== undefined && order.sort === sort;
  const dir = order.dir ?? 'desc';
  const className = [CLASS_NAMES[id], numeric && 'num', drag.landing === id && `lands-${drag.side}`];
  return (
    <th
      scope="col"
      data-column={id}
      className={className.filter(Boolean).join(' ') || undefined}
      title={title === head ? undefined : title}
      {...(own ? { 'aria-sort': dir === 'asc' ? ('ascending' as const) : ('descending' as const) } : {})}
      {...drag.moving(id)}
    >
      {sort ? (
        <button
          type="button"
          onClick={() => !drag.wasDragged() && onSort(sort, own && dir === 'desc' ? 'asc' : 'desc')}
        >
          {head}
          {own && <Icon name={dir === 'asc' ? 'chevron-up' : 'arrow-down'} />}
        </button>
      ) : (
        head
      )}
      {/* the menu of columns does the same for the keyboard */}
      <span className="col-grip" aria-hidden {...drag.resizing(id)} />
    </th>
  );
}
