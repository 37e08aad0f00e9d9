import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { claimUndiagnosed, type UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { giveUpDiagnosis } from '@/db/queries/give-up-diagnosis';
import { writeDiagnoses } from '@/db/queries/write-diagnoses';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { judge } from './judge';

/** A batch is one transaction: long enough to share PROJ's set-up between rows of one CRS, short enough to be cheap to lose. */
const BATCH_SIZE = 250;
/** One geometry may hold a session this long; then it is tried alone, and given up after MAX_TRIES. */
const STATEMENT_TIMEOUT_MS = 60_000;
const MAX_TRIES = 3;

/**
 * Diagnoses the entries that wait, one batch; answers how many it took (0: nothing waits). A row that fails its batch
 * is tried alone, so that it never holds up the others, and is recorded as unreadable after three tries.
 */
export async function diagnoseBatch(db: Db): Promise<number> {
  const fresh = await claimUndiagnosed(db, BATCH_SIZE, false);
  if (fresh.length > 0) {
    await diagnose(db, fresh).catch((error: unknown) =>
      getLog().warn(
        { error: loggableError(error), entries: fresh.length },
        'a batch of diagnoses failed; its entries are tried one by one',
      ),
    );
    return fresh.length;
  }
  const [failed] = await claimUndiagnosed(db, 1, true);
  if (!failed) return 0;
  try {
    await diagnose(db, [failed]);
  } catch (error) {
    const message =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    getLog().warn({ entry_id: failed.entry_id, tries: failed.tries }, 'a diagnosis failed');
    if (failed.tries >= MAX_TRIES) await giveUpDiagnosis(db, failed.entry_id, message.slice(0, 500));
  }
  return 1;
}

async function diagnose(db: Db, rows: UndiagnosedRow[]): Promise<void> {
  const inputs = rows.map((row) => ({
    entry_id: row.entry_id,
    tries: row.tries,
    payload_hash: row.payload_hash,
    ...judge(row),
  }));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}::text, true)`);
    await writeDiagnoses(tx, inputs);
  });
}
