import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { backfillCaptures, backfillMarks, type Compared, compareAttached, endBackfill } from '@/db/queries/backfill';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';
import { refusedByDatabase } from '@/lib/ingest/refused-by-database';
import { patiently } from './patiently';

export interface BackfillProgress {
  done: number;
  total: number;
}

/**
 * Takes in the rows that an attached table held before, chunk by chunk; each chunk is committed, so that a run that was
 * killed is gone on with by the next. Answers how table and entries compare at the end, or null where `signal` stopped it.
 */
export async function backfill(
  db: Db,
  id: number,
  {
    chunk,
    total,
    done,
    signal,
    on_progress,
  }: {
    chunk: number;
    total: number;
    done: number;
    signal?: AbortSignal;
    on_progress?: (progress: BackfillProgress) => void;
  },
): Promise<Compared | null> {
  for (let read = done; ; ) {
    if (signal?.aborted) return null;
    const step = await patiently(() => captureChunk(db, id, chunk), signal);
    if (step.rows_read === 0) break;
    // in a second transaction: a team's own mark either sees the entries by now, or is seen here
    await patiently(() => inTurn(db, (tx) => backfillMarks(tx, id, step)), signal);
    read += step.rows_read;
    on_progress?.({ done: read, total: Math.max(total, read) });
  }
  await endBackfill(db, id);
  return inTurn(db, (tx) => compareAttached(tx, id));
}

/** All rows at once; where the database refuses one of them, again with each by itself. */
async function captureChunk(db: Db, id: number, size: number) {
  try {
    return await inTurn(db, (tx) => backfillCaptures(tx, id, { size, careful: false }));
  } catch (error) {
    if (!refusedByDatabase(error) && sqlStateOf(error) !== 'P0001') throw error;
    return inTurn(db, (tx) => backfillCaptures(tx, id, { size, careful: true }));
  }
}

/**
 * Gives up on a lock before PostgreSQL looks for a deadlock (1 s): where the backfill and a writer wait for each other, it
 * is the backfill that goes back.
 */
const inTurn = <T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> =>
  db
    .transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      await tx.execute(sql`set local lock_timeout = '500ms'`);
      return run(tx);
    })
    .catch((error: unknown) => {
      if (sqlStateOf(error) !== '42P01') throw error;
      throw new DlqError('conflict', 'the table was detached or dropped meanwhile; what had come in stays');
    });
