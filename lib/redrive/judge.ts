import type { RedriveRow } from '@/db/queries/load-redrives';
import type { Faithfulness } from '@/lib/contract/entry';
import { faithfulness } from '@/lib/dead-letter/faithfulness';
import { paramsText } from '@/lib/dead-letter/params-text';
import type { Returned } from './give-back';
import type { Target } from './targets';

/** What may be sent, and what may not with the reason. The target is the one of the claim; the manifest is today's. */
export function judge(rows: readonly RedriveRow[], targets: Readonly<Record<string, Target>>) {
  const faithful: RedriveRow[] = [];
  const unfaithful: Returned[] = [];
  for (const row of rows) {
    const { reason, detail } = faithfulnessOf(row, Object.keys(targets));
    if (reason === null) faithful.push(row);
    else unfaithful.push({ entry_id: row.entry_id, attempt_id: row.attempt_id, reason, detail });
  }
  return { faithful, unfaithful };
}

function faithfulnessOf(row: RedriveRow, targets: readonly string[]): Faithfulness {
  const { code_versions, params_schema, code_version } = row;
  return faithfulness({
    manifest: code_versions && params_schema && { code_versions, params_schema, target: row.target },
    code_version,
    ...paramsText(row.params_jsonb, row.params_raw),
    has_payload: true,
    targets,
  });
}
