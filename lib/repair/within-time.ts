import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { sqlStateOf } from '@/db/sql-state';

const QUERY_CANCELED = '57014';

/**
 * Runs one statement under a time limit of its own; null where it took longer. A savepoint, so that the transaction goes on:
 * a handler inside the database does not catch a cancelled statement.
 */
export async function withinTime<T>(tx: Tx, limit_ms: number, run: (tx: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await tx.transaction(async (inner) => {
      await inner.execute(
        sql`select set_config('statement_timeout', ${String(Math.max(1, Math.round(limit_ms)))}::text, true)`,
      );
      return run(inner);
    });
  } catch (error) {
    if (sqlStateOf(error) === QUERY_CANCELED) return null;
    throw error;
  }
}

/** `8 s` */
export const secondsText = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`;
