import type { Tx } from '@/db/client';
import { repairVersions } from '@/db/queries/repair-versions';
import { DlqError } from '@/lib/contract/error';
import type { RepairMethod } from '@/lib/contract/repair';
import type { BuiltEdit } from './built-edit';
import { computeRepair } from './compute-repair';
import type { RepairSource } from './read-source';

/** The repair as a payload: the claim stays. @throws DlqError unprocessable where ST_MakeValid does not take it, or takes too long. */
export async function buildRepair(tx: Tx, source: RepairSource, method: RepairMethod): Promise<BuiltEdit> {
  const made = await computeRepair(tx, source, method);
  if (made.why_not !== null)
    throw new DlqError('unprocessable', `dead letter ${source.entry_id} cannot be repaired: ${made.why_not}`);
  const { src_crs, srid } = source;
  return {
    wkb: made.after,
    src_crs,
    srid,
    change: `ST_MakeValid(${method})${droppedWords(made.vertices_dropped)}, ${await repairVersions(tx)}`,
  };
}

function droppedWords(count: number): string {
  if (count === 0) return '';
  return ` without ${count === 1 ? '1 vertex that is no number' : `${count} vertices that are no numbers`}`;
}
