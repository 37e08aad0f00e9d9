import type { Db } from '@/db/client';
import { claimOutdated } from '@/db/queries/claim-outdated';
import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { endRenewalTurn } from '@/db/queries/end-renewal-turn';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { RULESET } from './ruleset';

/** Smaller than a batch of what waits: it stands in the way of what comes meanwhile. */
const BATCH_SIZE = 100;

/**
 * Makes one batch of the diagnoses of older rules anew, by `diagnose`, which answers whether it got to the end of them and
 * throws where one fails. What fails keeps the diagnosis it has: it is tried alone the next times, three in all, and then
 * passed over. Answers how many were taken; 0 where none is left, another worker is at it, or the rest has to wait.
 */
export async function diagnoseOutdated(
  db: Db,
  diagnose: (rows: readonly UndiagnosedRow[]) => Promise<boolean>,
): Promise<number> {
  const { turn, rows } = await claimOutdated(db, RULESET, BATCH_SIZE);
  if (!turn) return 0;
  let reached = false;
  try {
    reached = await diagnose(rows);
    return reached ? Math.max(1, rows.length) : 0;
  } catch (error) {
    getLog().warn({ error: loggableError(error), entries: rows.length }, 'old diagnoses could not be made anew');
    return 1;
  } finally {
    await endRenewalTurn(db, RULESET, reached ? turn : { through_id: null, is_end: false });
  }
}
