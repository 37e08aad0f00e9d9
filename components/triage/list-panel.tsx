'use client';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { boundText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import { ShareDivider } from '@/components/ui/share-divider';
import type { Filter } from '@/lib/contract/filter';
import type { ListItem, Sort } from '@/lib/contract/triage';
import { type Arrivals, arrivalsText } from './arrivals.model';
import { EntryList } from './entry-list';
import { ExportMenu } from './export-menu';
import { constantValues } from './facet.model';
import type { GroupKeys } from './group-keys';
import { useColumnChoice } from './list-column-choice';
import type { ColumnId } from './list-columns.model';
import { ListColumnsMenu } from './list-columns-menu';
import { CopyRows } from './list-copy';
import { ListJump } from './list-jump';
import { ListSkeleton, NothingDead, NothingMatches } from './list-states';
import type { Ticks } from './scope.model';
import type { Group, SignatureOrder } from './triage-url.model';
import type { Entries } from './use-entries';
import type { Shown } from './use-triage-answer';

// most look at the entries alone
const loading = () => (
  <div className="list-s">
    <ListSkeleton />
  </div>
);
const SignatureList = dynamic(() => import('./signatures/signature-list'), { loading });
const ClassTimeTable = dynamic(() => import('./signatures/class-time-table'), { loading });

/** Which: the entries one by one, by signature, or counted by class and time, with what they have in common over them. */
export function ListPanel({
  shown,
  entries,
  group,
  by,
  groupKeys,
  ticks,
  openId,
  cursorId,
  arrivals,
  onArrivals,
  onGroup,
  onFilter,
  onSignature,
  onSignatureOrder,
  onExample,
  onCell,
  onJump,
  ...handlers
}: {
  shown: Shown;
  entries: Entries;
  group: Group;
  by: SignatureOrder;
  groupKeys: GroupKeys;
  ticks: Ticks;
  openId: string | null;
  cursorId: string | null;
  arrivals: Arrivals | null;
  onArrivals: () => void;
  onGroup: (group: Group) => void;
  onFilter: (filter: Filter) => void;
  onSignature: (signature: string) => void;
  onSignatureOrder: (by: SignatureOrder) => void;
  onExample: (id: string) => void;
  /** The filter of a cell of the table by class and time. */
  onCell: (filter: Filter) => void;
  /** Enters the list at a moment; null is its beginning. */
  onJump: (at: string | null) => void;
  onSort: (sort: Sort, dir: 'asc' | 'desc') => void;
  onTick: (item: ListItem, on: boolean, range: boolean) => void;
  onTickAll: (on: boolean) => void;
  onOpen: (item: ListItem) => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
}) {
  const { answer, filter } = shown;
  const hidden = useMemo(() => commonColumns(shown), [shown]);
  const columns = useColumnChoice();
  const waiting = arrivals && arrivalsText(arrivals);
  return (
    <div className="mid-split">
      <ShareDivider label="Height of the map" start={1.16} />
      <section className="list" aria-label="Entries">
        <div className="list-h">
          <Segmented
            label="Group"
            value={group}
            options={[
              { value: 'entries', label: 'Entries' },
              {
                value: 'signatures',
                label: `Signatures ${boundText(filter.signature ? answer.signatures.length : answer.facets.signature.distinct, answer.capped)}`,
              },
              { value: 'time', label: 'By time' },
            ]}
            onChange={onGroup}
          />
          {hidden.size > 0 && answer.total > 0 && (
            <span className="cap const dims">
              {[...hidden.values()].map((word, i) => (
                <span key={word}>
                  {i > 0 && ', '}all <span className="mono">{word}</span>
                </span>
              ))}
            </span>
          )}
          <div className="right">
            {waiting && (
              <button type="button" className="arrived" onClick={onArrivals} title="Show the newer answer">
                {waiting}
              </button>
            )}
            {answer.total > 0 && group === 'entries' && (
              <>
                <ListJump order={shown.order} now={answer.as_of} onJump={onJump} />
                <ListColumnsMenu columns={columns} hidden={hidden} />
                <CopyRows
                  items={entries.items}
                  total={answer.total}
                  capped={answer.capped}
                  ticks={ticks}
                  columns={columns}
                />
              </>
            )}
            {answer.total > 0 && <ExportMenu shown={shown} />}
          </div>
        </div>
        {answer.total === 0 ? (
          <div className="list-s dims">
            {Object.keys(filter).length === 0 ? (
              <NothingDead onFilter={onFilter} />
            ) : (
              <NothingMatches shown={shown} onFilter={onFilter} />
            )}
          </div>
        ) : group === 'signatures' ? (
          <SignatureList
            shown={shown}
            by={by}
            keys={groupKeys}
            onBy={onSignatureOrder}
            onChoose={onSignature}
            onExample={onExample}
          />
        ) : group === 'time' ? (
          <ClassTimeTable shown={shown} onFilter={onCell} />
        ) : (
          <EntryList
            shown={shown}
            entries={entries}
            columns={columns}
            hidden={hidden}
            ticks={ticks}
            openId={openId}
            cursorId={cursorId}
            {...handlers}
          />
        )}
      </section>
    </div>
  );
}

/** Columns that say the same in every row, with what they say. */
function commonColumns({ answer, filter }: Shown): Map<ColumnId, string> {
  const constant = constantValues(answer, filter);
  const common = new Map<ColumnId, string>();
  for (const id of ['task_name', 'state'] as const) {
    const word = constant.get(id);
    if (word !== undefined) common.set(id, word);
  }
  return common;
}
