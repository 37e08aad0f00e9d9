'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import { isUnderWay, operationItemsQuery } from '@/lib/api/operations';
import { filterToSearch } from '@/lib/contract/filter';
import type { Operation, OperationItem } from '@/lib/contract/operation';
import { ItemTable } from './item-table';
import { matchedCount, tabsOf } from './outcomes.model';

type ItemOutcome = OperationItem['outcome'];
const ALL = 'all';
/** As many as an address carries without trouble. */
const LINKED = 100;
const EVERY_MS = 2_000;

/** What became of each entry, by outcome, page by page; live while it runs. */
export function OperationItems({
  operation,
  outcome,
  onOutcome,
}: {
  operation: Operation;
  outcome: ItemOutcome | null;
  onOutcome: (outcome: ItemOutcome | null) => void;
}) {
  const query = useInfiniteQuery({
    ...operationItemsQuery(operation.id, outcome),
    staleTime: 0,
    // every loaded page is asked for again, so the more of them the more seldom
    refetchInterval: ({ state }) =>
      isUnderWay(operation) ? EVERY_MS * Math.max(1, state.data?.pages.length ?? 1) : false,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage, refetch } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const total = outcome === null ? matchedCount(operation) : operation.outcomes[outcome];
  const tabs = tabsOf(operation);
  // the tab that is open stays, also when the last of its entries has moved on
  const shown = tabs.some((tab) => tab.outcome === outcome) ? tabs : [...tabs, { outcome, label: `${outcome} 0` }];
  return (
    <section className="card" aria-labelledby="op-items">
      <div className="card-h op-items-h">
        <h2 id="op-items">Entries</h2>
        <Segmented<ItemOutcome | typeof ALL>
          label="Outcome"
          value={outcome ?? ALL}
          options={shown.map((tab) => ({ value: tab.outcome ?? ALL, label: tab.label }))}
          onChange={(value) => onOutcome(value === ALL ? null : value)}
        />
        <span className="right">
          {items.length > 0 && items.length <= LINKED && !hasNextPage && (
            <Link
              className="btn btn-s btn-quiet"
              href={`/?${filterToSearch({ state: ['any'], ids: items.map(({ entry_id }) => entry_id) })}`}
            >
              {items.length === 1 ? 'On the map' : `These ${items.length} on the map`}
            </Link>
          )}
          <a
            className="btn btn-s"
            href={`/api/operations/${operation.id}/items?format=csv${outcome ? `&outcome=${outcome}` : ''}`}
          >
            <Icon name="download" />
            CSV
          </a>
        </span>
      </div>
      <ItemTable
        key={outcome ?? ALL}
        items={items}
        total={total}
        action={operation.action}
        now={operation.as_of}
        loading={isFetching && items.length === 0}
        onNearEnd={hasNextPage && !isFetching && !isError ? () => void fetchNextPage() : null}
      />
      <p className="cap op-items-f" role="status">
        {isError ? (
          <>
            The entries did not load.{' '}
            <button type="button" className="link" onClick={() => void refetch()}>
              Load again
            </button>
          </>
        ) : items.length === 0 && !isFetching ? (
          'None.'
        ) : (
          `${countText(items.length)} of ${countText(Math.max(total, items.length))} loaded, in the order in which they were first captured`
        )}
      </p>
    </section>
  );
}
