import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { writeDiagnoses } from '@/db/queries/write-diagnoses';
import type { Referenced } from '@/lib/blobs/read-referenced';
import { judge } from './judge';

/** One geometry may hold a session this long. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Judges rows and has the database do its part, in one transaction. `referenced` belongs to the one row that it is given with. */
export async function diagnoseRows(
  db: Db,
  rows: readonly UndiagnosedRow[],
  referenced: Referenced | null,
): Promise<void> {
  if (rows.length === 0) return;
  const inputs = rows.map((row) => ({
    entry_id: row.entry_id,
    tries: row.tries,
    payload_hash: row.payload_hash,
    ...judge({ ...row, referenced }),
  }));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}::text, true)`);
    await writeDiagnoses(tx, inputs, referenced && 'wkb' in referenced ? referenced.wkb : null);
  });
}
