import { sql } from 'drizzle-orm';
import type { Db, Tx } from './client';

/** Who changes what `change` changes, and why: every event of the transaction carries it. */
export interface Acting {
  actor: string;
  reason?: string | null;
  operation_id?: string | null;
}

/**
 * Runs `change` in a transaction whose changes of state are recorded as `acting`'s. Inside a transaction it is a
 * savepoint, and the settings stay until the outer transaction ends.
 */
export function asActor<T>(db: Db | Tx, acting: Acting, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`
      select set_config('dlq.actor', ${acting.actor}::text, true),
        set_config('dlq.reason', ${acting.reason ?? ''}::text, true),
        set_config('dlq.operation_id', ${acting.operation_id ?? ''}::text, true)`);
    return change(tx);
  });
}
