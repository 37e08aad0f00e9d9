'use client';
import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Popover } from '@/components/ui/popover';
import { type Columns, shownColumns } from './list-column-choice';
import {
  COLUMN_IDS,
  type ColumnChoice,
  type ColumnId,
  columnOf,
  movedTo,
  withColumn,
  withWidth,
} from './list-columns.model';

const STEP_PX = 24;

/** Which columns, how wide and in which order, for the keyboard too; the choice stays in this browser. */
export function ListColumnsMenu({ columns, hidden }: { columns: Columns; hidden: ReadonlyMap<ColumnId, string> }) {
  const [open, setOpen] = useState(false);
  // the usual columns depend on the room there is: what is on the page when the menu opens
  const [usual, setUsual] = useState<readonly ColumnId[]>([]);
  const { choice, changeBy, change } = columns;
  const chosen: readonly ColumnId[] = choice ? choice.map(({ id }) => id) : usual;
  const rows = [...chosen, ...COLUMN_IDS.filter((id) => !chosen.includes(id))];
  const [moved, setMoved] = useState<string | null>(null);
  // a row that moved took its buttons away from under the focus
  useEffect(() => {
    if (moved) document.getElementById(moved)?.focus();
    setMoved(null);
  }, [moved]);
  const move = (id: ColumnId, by: -1 | 1) => {
    changeBy((from) => movedTo(from, id, from.findIndex((column) => column.id === id) + by));
    setMoved(moveId(id, by));
  };
  return (
    <Popover
      label="Columns"
      align="end"
      open={open}
      onOpenChange={(next) => {
        if (next) setUsual(shownColumns());
        setOpen(next);
      }}
      trigger={
        <button type="button" className="btn btn-quiet btn-s" title="Columns: which, how wide, in which order">
          <Icon name="columns" />
          <span className="list-word">Columns</span>
        </button>
      }
    >
      <ul className="col-menu">
        {rows.map((id, at) => {
          const is_on = chosen.includes(id);
          const { title } = columnOf(id);
          const common = hidden.get(id);
          return (
            <li key={id}>
              <label className="menu-item">
                <input
                  type="checkbox"
                  className="check"
                  checked={is_on}
                  disabled={id === 'work_key'}
                  onChange={(event) => changeBy((from) => withColumn(from, id, event.target.checked))}
                />
                {title}
                {is_on && common !== undefined && (
                  <span className="faint trunc" title={`all ${common}: said over the list`}>
                    all {common}
                  </span>
                )}
              </label>
              {is_on && (
                <span className="col-tools">
                  <Tool icon="minus" label={`${title}: narrower`} onPress={() => changeBy(byWidth(id, -STEP_PX))} />
                  <Tool icon="plus" label={`${title}: wider`} onPress={() => changeBy(byWidth(id, STEP_PX))} />
                  <Tool
                    icon="chevron-up"
                    id={moveId(id, -1)}
                    label={`${title}: to the left`}
                    off={at === 0}
                    onPress={() => move(id, -1)}
                  />
                  <Tool
                    icon="chevron-down"
                    id={moveId(id, 1)}
                    label={`${title}: to the right`}
                    off={at === chosen.length - 1}
                    onPress={() => move(id, 1)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p className="col-foot">
        <button type="button" className="btn btn-s" disabled={choice === null} onClick={() => change(null)}>
          Back to the default
        </button>
        <span className="faint">Heads drag; their edges too</span>
      </p>
    </Popover>
  );
}

const moveId = (id: ColumnId, by: -1 | 1) => `column-${id}-${by < 0 ? 'left' : 'right'}`;

/** From the width on the page, since a column may have what is left. */
const byWidth = (id: ColumnId, by: number) => (from: ColumnChoice) => {
  const head = document.querySelector<HTMLElement>(`.entries th[data-column="${id}"]`);
  return withWidth(from, id, (head?.offsetWidth ?? columnOf(id).px) + by);
};

function Tool({
  icon,
  label,
  id,
  off = false,
  onPress,
}: {
  icon: 'minus' | 'plus' | 'chevron-up' | 'chevron-down';
  label: string;
  id?: string;
  off?: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      id={id}
      className="btn btn-quiet btn-icon btn-s"
      aria-label={label}
      title={label}
      aria-disabled={off}
      onClick={() => !off && onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}
