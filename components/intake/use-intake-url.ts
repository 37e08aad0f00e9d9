'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import type { RunName } from '@/lib/api/runs';
import { RUN_STATUSES, type RunStatus } from '@/lib/contract/run';
import { type Section, sectionOf, sectionPath } from './section.model';

/** What the address says: the section, what is filtered in it, and the run that is open. */
export function useIntakeUrl() {
  const search = useSearchParams();
  const section = sectionOf(search.get('section'));
  const is_open = search.get('open') !== 'false';
  const status: RunStatus | null = RUN_STATUSES.find((one) => one === search.get('status')) ?? null;
  const ended = search.get('ended') === 'true';
  const run = useMemo<RunName | null>(() => {
    const run_id = search.get('run');
    return run_id === null ? null : { run_id, queue: search.get('queue'), task_name: search.get('task_name') };
  }, [search]);
  const go = useCallback((to: Section, chosen: Record<string, string | null> = {}) => {
    // the router would ask the server for the whole page again
    window.history.pushState(null, '', sectionPath(to, chosen));
  }, []);
  return { section, is_open, status, ended, run, go };
}
