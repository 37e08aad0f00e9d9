'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { boundText, countText } from '@/components/ui/number-text';
import { momentText } from '@/components/ui/time-text';
import { signatureTrendsQuery } from '@/lib/api/signature-trends';
import type { GroupKeys } from '../group-keys';
import type { SignatureOrder } from '../triage-url.model';
import type { Shown } from '../use-triage-answer';
import { signatureRows, trendsFilter } from './signature.model';
import { SignatureRow, signatureRowId } from './signature-row';
import './signatures.css';

/** The list grouped: thousands of failures are often a handful of errors. */
export default function SignatureList({
  shown,
  by,
  keys,
  onBy,
  onChoose,
  onExample,
}: {
  shown: Shown;
  by: SignatureOrder;
  /** Told what the page's keys for rows do here. */
  keys: GroupKeys;
  onBy: (by: SignatureOrder) => void;
  onChoose: (signature: string) => void;
  onExample: (id: string) => void;
}) {
  const { answer, filter } = shown;
  const asked = useMemo(() => trendsFilter(filter, answer), [filter, answer]);
  const { data, isError, isPlaceholderData, refetch } = useQuery(signatureTrendsQuery(asked, answer.as_of));
  const rows = useMemo(() => signatureRows(answer, data ?? null, by), [answer, data, by]);
  const [cursor, setCursor] = useState<string | null>(null);
  const at = rows.findIndex(({ signature }) => signature === cursor);
  const largest = Math.max(1, ...answer.signatures.map(({ count }) => count));
  const trends = data ? 'there' : isError ? 'failed' : 'loading';

  const go = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setCursor(row.signature);
    document.getElementById(signatureRowId(row.signature))?.scrollIntoView({ block: 'nearest' });
  };
  const choose = () => {
    const row = rows[at];
    if (row) onChoose(row.signature);
    return row !== undefined;
  };
  useEffect(() => {
    keys.current = (command) => {
      if (command === 'next') go(at + 1);
      else if (command === 'previous') go(Math.max(0, at - 1));
      else if (command === 'open') return choose();
      else return null;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });

  const head = (order: SignatureOrder, className: string, label: string) => (
    <th scope="col" className={className} {...(by === order ? { 'aria-sort': 'descending' as const } : {})}>
      <button type="button" onClick={() => onBy(order)}>
        {label}
        {by === order && <Icon name="arrow-down" />}
      </button>
    </th>
  );
  return (
    <div className={`list-s dims${isPlaceholderData ? ' trends-old' : ''}`}>
      <table
        className="tbl signatures"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are chosen and opened: it is a grid
        role="grid"
        tabIndex={0}
        aria-rowcount={rows.length + 1}
        aria-label={`${countText(rows.length)} signatures`}
        aria-activedescendant={at >= 0 && cursor ? signatureRowId(cursor) : undefined}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          const step = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: rows.length - 1 }[event.key];
          if (step !== undefined) go(step);
          else if (event.key !== 'Enter' || !choose()) return;
          event.preventDefault();
        }}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="c-sel">
              <span className="sr">Class</span>
            </th>
            <th scope="col">Error, numbers folded</th>
            <th scope="col" className="s-tasks">
              Task
            </th>
            {head('trend', 's-trend', 'Trend')}
            <th scope="col" className="num s-share" title="Of the entries of its class that match">
              Of class
            </th>
            <th scope="col" className="num s-time s-first">
              First failed
            </th>
            {head('newest', 'num s-time', 'Last failed')}
            {head('count', 'num s-count', 'Entries')}
            <th scope="col" className="s-example">
              <span className="sr">Example</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <SignatureRow
              key={row.signature}
              row={row}
              index={index}
              now={answer.as_of}
              largest={largest}
              cursor={row.signature === cursor}
              trends={trends}
              onChoose={onChoose}
              onExample={onExample}
            />
          ))}
        </tbody>
      </table>
      {!filter.signature && answer.facets.signature.distinct > rows.length && (
        <p className="cap fmore-note">
          The {rows.length} most frequent of {boundText(answer.facets.signature.distinct, answer.capped)} signatures.
        </p>
      )}
      {data?.counted_from && (
        <p className="cap fmore-note">
          Trends and tasks are of the newest failures, from {momentText(data.counted_from, answer.as_of)} UTC on.
        </p>
      )}
      {isError && (
        <p className="cap fmore-note">
          The trends did not load.{' '}
          <button type="button" className="link" onClick={() => void refetch()}>
            Load again
          </button>
        </p>
      )}
    </div>
  );
}
