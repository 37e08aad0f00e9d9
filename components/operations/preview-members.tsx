'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import { operationItemsQuery } from '@/lib/api/operations';
import type { Preview } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import { SkipReason } from './skip-reason';
import { splitReason } from './skip-words';

/** Members of the frozen set by name: the left out ones page by page, and a few of the others to recognise it by. */
export function PreviewMembers({ preview }: { preview: Preview }) {
  const left = preview.matched - preview.eligible;
  const [which, setWhich] = useState<'left' | 'some'>(left > 0 ? 'left' : 'some');
  return (
    <section className="pv-members" aria-label="Members of the set">
      <div className="pv-row">
        <Segmented
          label="Members"
          value={which}
          options={[
            ...(left > 0 ? [{ value: 'left' as const, label: `Left out ${countText(left)}` }] : []),
            ...(preview.sample.length > 0
              ? [{ value: 'some' as const, label: `Some that ${ACTION_WORDS[preview.action].will}` }]
              : []),
          ]}
          onChange={setWhich}
        />
        {which === 'left' && (
          <a
            className="btn btn-s btn-quiet right"
            href={`/api/operations/${preview.operation_id}/items?format=csv&outcome=skipped`}
          >
            <Icon name="download" />
            CSV
          </a>
        )}
      </div>
      {which === 'left' ? (
        <LeftOut preview={preview} />
      ) : (
        <ul className="pv-list">
          {preview.sample.map(({ id, work_key, task_name }) => (
            <Member key={id} id={id} work_key={work_key}>
              {task_name}
            </Member>
          ))}
        </ul>
      )}
    </section>
  );
}

function LeftOut({ preview }: { preview: Preview }) {
  const items = useInfiniteQuery(operationItemsQuery(preview.operation_id, 'skipped'));
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = items;
  return (
    <>
      <ul className="pv-list" aria-busy={isFetching}>
        {data?.pages
          .flatMap((page) => page.items)
          .map(({ entry_id, work_key, detail }) => (
            <Member key={entry_id} id={entry_id} work_key={work_key}>
              <SkipReason {...splitReason(detail ?? '')} action={preview.action} />
            </Member>
          ))}
      </ul>
      {isError && (
        <p className="cap">
          The list did not load.{' '}
          <button type="button" className="link" onClick={() => void refetch()}>
            Load again
          </button>
        </p>
      )}
      {hasNextPage && !isError && (
        <button type="button" className="link cap" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {isFetching ? 'Loading…' : 'More'}
        </button>
      )}
    </>
  );
}

function Member({ id, work_key, children }: { id: string; work_key: string; children: React.ReactNode }) {
  return (
    <li>
      <a className="mono link trunc" href={`/dead-letters/${id}`} target="_blank" rel="noreferrer" title={work_key}>
        {work_key}
      </a>
      <span className="trunc dim">{children}</span>
    </li>
  );
}
