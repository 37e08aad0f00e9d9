'use client';
import { useQuery } from '@tanstack/react-query';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { depthQuery } from '@/lib/api/depth';
import { Icon } from './icon';
import { countText } from './number-text';
import { Popover } from './popover';

/** Narrows the page to one queue by the filter's `queue`; the choices and their depths come with the opened menu. */
export function QueueSwitch() {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const path = usePathname();
  const search = useSearchParams();
  const chosen = search.getAll('queue').filter((name) => !name.startsWith('!'));
  const { data, isError } = useQuery({ ...depthQuery(), enabled: open });
  const queues = new Map<string, number>();
  for (const { queue, count } of data?.by ?? []) queues.set(queue, (queues.get(queue) ?? 0) + count);
  const choose = (queue: string | null) => {
    const next = new URLSearchParams(path === '/' ? search : '');
    next.delete('queue');
    if (queue !== null) next.set('queue', queue);
    setOpen(false);
    router.push(next.size === 0 ? '/' : `/?${next}`);
  };
  const label = chosen.length === 0 ? 'all queues' : chosen.join(', ');
  return (
    <Popover
      label="Queue"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="btn btn-quiet queue" aria-label={`Queue: ${label}`}>
          <span className="queue-dot" />
          <span className="trunc">{label}</span>
          <Icon name="chevron-down" />
        </button>
      }
    >
      <button type="button" className="menu-item" onClick={() => choose(null)}>
        {chosen.length === 0 ? <Icon name="check" small /> : <span className="i s" />}
        all queues
        {data && <span className="num">{countText(data.depth)}</span>}
      </button>
      {[...queues].map(([value, count]) => (
        <button key={value} type="button" className="menu-item" onClick={() => choose(value)}>
          {chosen.includes(value) ? <Icon name="check" small /> : <span className="i s" />}
          {value}
          <span className="num">{countText(count)}</span>
        </button>
      ))}
      {!data && <p className="cap">{isError ? 'The queues could not be read.' : 'Reading the queues…'}</p>}
    </Popover>
  );
}
