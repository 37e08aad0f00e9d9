import { queryOptions } from '@tanstack/react-query';
import { type Manifest, type Task, taskSchema } from '../contract/task';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

/** What a task has registered; `not_found` where it has registered nothing. */
export function taskQuery(task_name: string) {
  return queryOptions({
    queryKey: queryKeys.tasks.one(task_name),
    queryFn: ({ signal }) => fetchJson(taskSchema, addressOf(task_name), { signal }),
  });
}

/** Registers what a task can rebuild faithfully; the answer is the manifest as it is kept. */
export function putManifest(task_name: string, manifest: Manifest): Promise<Task> {
  return fetchJson(taskSchema, addressOf(task_name), { method: 'PUT', body: manifest });
}

const addressOf = (task_name: string): string => `/api/tasks/${encodeURIComponent(task_name)}`;
