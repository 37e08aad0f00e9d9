import type { RedriveRow } from '@/db/queries/load-redrives';
import type { BlobStore } from '@/lib/blobs/blob-store';
import type { Faithfulness } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { faithfulness } from '@/lib/dead-letter/faithfulness';
import { paramsText } from '@/lib/dead-letter/params-text';
import type { PayloadTransport } from '@/lib/dead-letter/size-rule';
import { isByReference, transportFromStore } from './attach-blob';
import type { Returned } from './give-back';
import type { Target } from './targets';

/**
 * What may be sent, and what may not with the reason. The target is the one of the claim; the manifest is today's.
 * Where the blob store cannot say whether it has a payload, that one is left as it is too.
 */
export async function judge(
  rows: readonly RedriveRow[],
  targets: Readonly<Record<string, Target>>,
  openStore: () => BlobStore,
) {
  const faithful: RedriveRow[] = [];
  const unfaithful: Returned[] = [];
  for (const row of rows) {
    const { reason, detail } = await judgeOne(row, Object.keys(targets), openStore);
    if (reason === null) faithful.push(row);
    else unfaithful.push({ entry_id: row.entry_id, attempt_id: row.attempt_id, reason, detail });
  }
  return { faithful, unfaithful };
}

async function judgeOne(
  row: RedriveRow,
  targets: readonly string[],
  openStore: () => BlobStore,
): Promise<Faithfulness> {
  try {
    const payload = isByReference(row) ? await transportFromStore(openStore(), row) : 'inline';
    return faithfulnessOf(row, payload, targets);
  } catch (error) {
    if (!(error instanceof DlqError) || error.code !== 'storage_unavailable') throw error;
    return { faithful: false, reason: 'no_payload', detail: error.message };
  }
}

function faithfulnessOf(row: RedriveRow, payload: PayloadTransport, targets: readonly string[]): Faithfulness {
  const { code_versions, params_schema, code_version } = row;
  const takes_references = row.takes_references ?? false;
  return faithfulness({
    manifest: code_versions && params_schema && { code_versions, params_schema, target: row.target, takes_references },
    code_version,
    ...paramsText(row.params_jsonb, row.params_raw),
    payload,
    targets,
    edited_by: row.edited_by,
  });
}
