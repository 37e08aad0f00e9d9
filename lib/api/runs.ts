import { infiniteQueryOptions } from '@tanstack/react-query';
import { type RunStatus, runDetailSchema, runListSchema } from '../contract/run';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** What identifies a run: an id alone can be that of other queues and tasks too. */
export interface RunName {
  run_id: string;
  queue: string | null;
  task_name: string | null;
}

/** The runs, the latest started first. */
export function runsQuery(status: RunStatus | null) {
  return infiniteQueryOptions({
    queryKey: queryKeys.runs.list(status),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(runListSchema, `/api/runs${searchOf({ status, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** One run with the holes of its manifest, `limit` tiles at a time. */
export function runQuery({ run_id, queue, task_name }: RunName, limit: number) {
  return infiniteQueryOptions({
    queryKey: queryKeys.runs.one(run_id, queue, task_name),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(
        runDetailSchema,
        `/api/runs/${encodeURIComponent(run_id)}${searchOf({ queue, task_name, limit: String(limit), cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.holes?.next_cursor ?? null,
  });
}

function searchOf(members: Record<string, string | null>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== null) search.set(name, value);
  return search.size === 0 ? '' : `?${search}`;
}
