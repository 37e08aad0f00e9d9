'use client';
import { useCallback, useRef, useState } from 'react';
import type { ListItem } from '@/lib/contract/triage';
import { NO_TICKS, type Ticks, tickOne, tickRange } from './scope.model';

/** Ticked rows: they survive paging, sorting and filtering, but not the page. Shift ticks from the last one touched. */
export function useTicks(order: readonly string[]) {
  const [ticks, setTicks] = useState<Ticks>(NO_TICKS);
  const anchor = useRef<string | null>(null);
  const latest = useRef(order);
  latest.current = order;
  const onTick = useCallback((item: ListItem, on: boolean, range: boolean) => {
    const from = anchor.current;
    anchor.current = item.id;
    setTicks((before) => (range ? tickRange(before, latest.current, from, item.id, on) : tickOne(before, item.id, on)));
  }, []);
  const onTickAll = useCallback((on: boolean) => {
    setTicks((before) => {
      const ids = new Set(before.kind === 'ids' ? before.ids : []);
      for (const id of latest.current) {
        if (on) ids.add(id);
        else ids.delete(id);
      }
      return { kind: 'ids', ids };
    });
  }, []);
  return { ticks, setTicks, onTick, onTickAll, some: ticks.kind === 'all' || ticks.ids.size > 0 };
}
