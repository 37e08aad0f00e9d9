import { type Manifest, manifestSchema } from '../contract/task';
import { fetchJson } from './fetch-json';

/** Registers what a task can rebuild faithfully; the answer is the manifest as it is kept. */
export function putManifest(task_name: string, manifest: Manifest): Promise<Manifest> {
  return fetchJson(manifestSchema, `/api/tasks/${encodeURIComponent(task_name)}`, { method: 'PUT', body: manifest });
}
