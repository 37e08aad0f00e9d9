import { type Manifest, type Task, taskSchema } from '../contract/task';
import { fetchJson } from './fetch-json';

/** Registers what a task can rebuild faithfully; the answer is the task as it is kept. */
export function putManifest(task_name: string, manifest: Manifest): Promise<Task> {
  return fetchJson(taskSchema, `/api/tasks/${encodeURIComponent(task_name)}`, { method: 'PUT', body: manifest });
}
