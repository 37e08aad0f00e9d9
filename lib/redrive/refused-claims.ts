import type { Db, Tx } from '@/db/client';
import { type ClaimableRow, claimable } from '@/db/queries/claimable';
import { claimRefusal } from '@/lib/dead-letter/redrive-transitions';

/** Why an entry was left as it is. */
export interface Refusal {
  entry_id: string;
  reason: string;
  detail: string | null;
}

/** Why entries were not claimed: who was faster and when, or what stands against it. */
export async function refusedClaims(db: Db | Tx, entry_ids: readonly string[]): Promise<Refusal[]> {
  if (entry_ids.length === 0) return [];
  const rows = new Map((await claimable(db, entry_ids)).map((row) => [row.entry_id, row]));
  return entry_ids.map((entry_id) => ({ entry_id, ...refusalOf(rows.get(entry_id)) }));
}

function refusalOf(row: ClaimableRow | undefined): Omit<Refusal, 'entry_id'> {
  if (!row) return { reason: 'not_found', detail: null };
  const by = row.changed_by === null ? null : `by ${row.changed_by} at ${row.changed_at}`;
  const state = claimRefusal(row, row.idempotent);
  if (state === 'over_cap')
    return { reason: state, detail: `${row.redrive_attempts} of ${row.max_redrives} redrives are used` };
  if (state) return { reason: state, detail: by };
  if (!row.has_manifest) return { reason: 'no_manifest', detail: null };
  if (row.target === null) return { reason: 'no_target', detail: 'the manifest names no target' };
  return { reason: 'changed', detail: by };
}
