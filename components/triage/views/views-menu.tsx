'use client';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Popover } from '@/components/ui/popover';
import { viewsQuery } from '@/lib/api/views';
import type { TriageUrl } from '../use-triage-url';
import { isChanged } from './view.model';
import { onViewsMenuRequest } from './views-request';

const ViewsPanel = dynamic(() => import('./views-panel'), {
  ssr: false,
  loading: () => <p className="cap">Reading the views…</p>,
});

/** Names the view that is open and whether the page differs from it; opens the list of all. */
export function ViewsMenu({ url, now }: { url: TriageUrl; now: string | null }) {
  const [open, setOpen] = useState(false);
  const { state } = url;
  const { data, error, refetch } = useQuery({ ...viewsQuery(), enabled: open || state.view !== null });
  const current = data?.items.find(({ id }) => id === state.view) ?? null;
  const changed = current !== null && isChanged(current, state);
  useEffect(() => onViewsMenuRequest(() => setOpen(true)), []);
  const name = current ? `View: ${current.name}${changed ? ', changed' : ''}` : 'Views';
  return (
    <Popover
      label="Views"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="btn btn-s views-button" aria-label={name} title={name}>
          <Icon name="bookmark" />
          <bdi className="trunc">{current?.name ?? 'Views'}</bdi>
          {changed && <span className="faint">changed</span>}
        </button>
      }
    >
      <ViewsPanel
        url={url}
        now={now}
        list={data ?? null}
        error={error}
        onRetry={() => void refetch()}
        current={current}
        changed={changed}
        onDone={() => setOpen(false)}
      />
    </Popover>
  );
}
