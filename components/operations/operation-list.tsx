'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import { isUnderWay, operationsQuery } from '@/lib/api/operations';
import type { Operation } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import './operation.css';
import './operation-progress.css';
import './operation-tables.css';
import { operationNumber } from './operation.model';
import { OperationKeys } from './operation-keys';
import { OperationPill } from './operation-pill';
import { doneCount, progressOf, progressText } from './outcomes.model';

const RUNNING_MS = 2_000;
const AT_REST_MS = 15_000;

/** Every operation that was started, newest first. */
export function OperationList() {
  const query = useInfiniteQuery({
    ...operationsQuery(),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isUnderWay)) ? RUNNING_MS : AT_REST_MS,
  });
  const { data, isError, error, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  const operations = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <main id="main" className="op">
      <OperationKeys />
      <header className="op-h">
        <div>
          <h1>Operations</h1>
          <p className="dim">What was done to many entries at once, each with its frozen set and what became of it.</p>
        </div>
      </header>
      {isError && (
        <p className="note op-banner" role="alert">
          <span className="strong bad-t">The operations could not be read: {error.message}.</span>
          <button type="button" className="btn btn-s right" onClick={() => void refetch()}>
            Try now
          </button>
        </p>
      )}
      {operations.length > 0 ? (
        <section className="card">
          <table className="tbl op-list" aria-label="Operations, newest first">
            <thead>
              <tr>
                <th className="l-n">No.</th>
                <th className="l-a">Action</th>
                <th className="num l-c">Entries</th>
                <th className="l-s">State</th>
                <th>Progress, done</th>
                <th className="l-r">Reason</th>
                <th className="l-w">By</th>
                <th className="num l-t">Started</th>
              </tr>
            </thead>
            <tbody>
              {operations.map((operation) => (
                <Row key={operation.id} operation={operation} />
              ))}
            </tbody>
          </table>
          {hasNextPage && (
            <p className="op-items-f">
              <button type="button" className="btn btn-s" disabled={isFetching} onClick={() => void fetchNextPage()}>
                {isFetching ? 'Loading…' : 'Older ones'}
              </button>
            </p>
          )}
        </section>
      ) : (
        !isError && <NoneYet loading={isFetching} />
      )}
    </main>
  );
}

function Row({ operation }: { operation: Operation }) {
  const { id, action, eligible, reason, actor, started_at, as_of } = operation;
  const outcomes = progressOf(operation).filter(({ count }) => count > 0);
  return (
    <tr>
      <td className="mono">
        <Link className="link" href={`/operations/${id}`}>
          {operationNumber(id)}
        </Link>
      </td>
      <td>{ACTION_WORDS[action].verb}</td>
      <td className="num">{countText(eligible)}</td>
      <td>
        <OperationPill operation={operation} />
      </td>
      <td title={progressText(operation)}>
        <span className="op-mini">
          <span className="op-bar" role="img" aria-label={progressText(operation)}>
            {outcomes.map(({ key, count }) => (
              <span key={key} className={`o-${key}`} style={{ flex: count }} />
            ))}
          </span>
          <span className="num dim">{countText(doneCount(operation))}</span>
        </span>
      </td>
      <td className="dim" title={reason ?? undefined}>
        {reason}
      </td>
      <td className="dim">{actor}</td>
      <td className="num mono dim" title={started_at ? exactText(started_at) : undefined}>
        {started_at && rowTimeText(started_at, as_of)}
      </td>
    </tr>
  );
}

function NoneYet({ loading }: { loading: boolean }) {
  return (
    <section className="card op-void">
      {loading ? (
        <p className="dim" role="status">
          Loading…
        </p>
      ) : (
        <>
          <p className="strong">No operation yet.</p>
          <p className="dim">
            Filter to a failure class, then redrive, abandon or quarantine it. A preview shows first what would happen.
          </p>
          <p className="op-more">
            <Link className="btn btn-s" href="/">
              Triage
            </Link>
          </p>
        </>
      )}
    </section>
  );
}
