import type { Tx } from '@/db/client';
import { getRebuildable } from '@/db/queries/get-rebuildable';
import { getTaskRow } from '@/db/queries/get-task';
import type { Entry } from '@/lib/contract/entry';
import { faithfulness } from '@/lib/dead-letter/faithfulness';
import { paramsText } from '@/lib/dead-letter/params-text';
import { PAYLOAD_LIMIT_BYTES } from '@/lib/dead-letter/vocabulary';
import { buildRequest } from '@/lib/redrive/build-request';
import { getTargets } from '@/lib/redrive/targets';

/** An attempt's id is drawn when it is claimed; until then the request shows this in its place. */
const NO_ATTEMPT_YET = '(drawn when it is sent)';

/** Whether a redrive of the entry would run what failed, by which manifest, and what it would send. */
export async function redriveOutlook(
  tx: Tx,
  { entry_id, task_name, code_version }: { entry_id: string; task_name: string; code_version: string | null },
): Promise<Pick<Entry, 'manifest' | 'faithfulness' | 'would_send'>> {
  const manifest = (await getTaskRow(tx, task_name)) ?? null;
  const row = await getRebuildable(tx, entry_id, PAYLOAD_LIMIT_BYTES);
  const { params_text, params_readable } = paramsText(row?.params_jsonb ?? null, row?.params_raw ?? null);
  return {
    manifest: manifest && {
      code_versions: manifest.code_versions,
      knows_version: code_version !== null && manifest.code_versions.includes(code_version),
      target: manifest.target,
      owner: manifest.owner,
    },
    faithfulness: faithfulness({
      manifest,
      code_version,
      params_text,
      params_readable,
      has_payload: row?.has_payload ?? false,
      targets: Object.keys(getTargets()),
    }),
    // params that are no text cannot be part of a JSON body
    would_send: row && params_readable ? buildRequest({ ...row, attempt_id: NO_ATTEMPT_YET }) : null,
  };
}
