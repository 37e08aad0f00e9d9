import type { Tx } from '@/db/client';
import { itemsToJudge } from '@/db/queries/items-to-judge';
import { listManifests, type ManifestRow } from '@/db/queries/list-manifests';
import { skipItems } from '@/db/queries/skip-items';
import { getConfig } from '@/lib/config';
import { faithfulness } from '@/lib/dead-letter/faithfulness';
import { paramsText } from '@/lib/dead-letter/params-text';
import { transportOf } from '@/lib/dead-letter/size-rule';

/** Params are at most a megabyte each: a chunk stays small in memory. */
const CHUNK = 500;

/** Leaves out of a frozen redrive what cannot be rebuilt faithfully, each with its reason. */
export async function judgeItems(tx: Tx, operation_id: string): Promise<void> {
  const targets = Object.keys(getConfig().targets);
  // one object a task: its schema is compiled once
  const manifests = new Map<string, ManifestRow | null>();
  let after = '0';
  for (;;) {
    const items = await itemsToJudge(tx, operation_id, after, CHUNK);
    const last = items.at(-1);
    if (!last) return;
    after = last.entry_id;
    const unknown = [...new Set(items.map((item) => item.task_name))].filter((name) => !manifests.has(name));
    if (unknown.length > 0) {
      const found = await listManifests(tx, unknown);
      for (const name of unknown) manifests.set(name, found.find((row) => row.task_name === name) ?? null);
    }
    const refused = items.flatMap((item) => {
      const verdict = faithfulness({
        ...item,
        ...paramsText(item.params_jsonb, item.params_raw),
        manifest: manifests.get(item.task_name) ?? null,
        payload: transportOf(item.by_reference, item.blob_bytes),
        targets,
      });
      return verdict.faithful
        ? []
        : [{ entry_id: item.entry_id, reason: verdict.reason ?? 'unfaithful', detail: verdict.detail }];
    });
    await skipItems(tx, operation_id, refused);
  }
}
