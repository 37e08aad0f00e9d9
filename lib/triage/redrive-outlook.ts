import type { Tx } from '@/db/client';
import { getRebuildable } from '@/db/queries/get-rebuildable';
import { getTaskRow } from '@/db/queries/get-task';
import { getConfig } from '@/lib/config';
import type { Entry } from '@/lib/contract/entry';
import { faithfulness } from '@/lib/dead-letter/faithfulness';
import { paramsText } from '@/lib/dead-letter/params-text';
import { SIZE_RULE_BYTES, transportOf } from '@/lib/dead-letter/size-rule';
import { isByReference } from '@/lib/redrive/attach-blob';
import { buildRequest, type Rebuildable } from '@/lib/redrive/build-request';
import { getTargets } from '@/lib/redrive/targets';

/** An attempt's id is drawn when it is claimed; until then the request shows this in its place. */
const NO_ATTEMPT_YET = '(drawn when it is sent)';

/** Whether a redrive of the entry would run what failed, by which manifest, and what it would send. */
export async function redriveOutlook(
  tx: Tx,
  { entry_id, task_name, code_version }: { entry_id: string; task_name: string; code_version: string | null },
): Promise<Pick<Entry, 'manifest' | 'faithfulness' | 'would_send'>> {
  const manifest = (await getTaskRow(tx, task_name)) ?? null;
  const row = await getRebuildable(tx, entry_id, SIZE_RULE_BYTES);
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
      payload: row ? transportOf(isByReference(row), row.blob_bytes) : 'gone',
      targets: Object.keys(getTargets()),
      edited_by: row?.edited_by ?? null,
    }),
    // params that are no text cannot be part of a JSON body
    would_send:
      row && params_readable
        ? buildRequest(shown({ ...row, attempt_id: NO_ATTEMPT_YET }), getConfig().public_url)
        : null,
  };
}

/** A blob that goes along stands here as an ellipsis, as the rest of a long geometry does: it is not read for a preview. */
function shown(row: Rebuildable & { blob_bytes: number | null }): Rebuildable {
  const { blob_bytes, ...rest } = row;
  const goes_along = isByReference(row) && transportOf(true, blob_bytes) === 'inline';
  return goes_along ? { ...rest, geom_wkb: '…' } : rest;
}
