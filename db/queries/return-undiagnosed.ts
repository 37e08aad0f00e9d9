import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Takes back the try of entries that were claimed for a diagnosis and not looked at. Locks their diagnoses. */
export async function returnUndiagnosed(db: Db, entry_ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    update dlq.diagnosis d set tries = d.tries - 1
    where d.entry_id = any(${sql.param(entry_ids)}::bigint[]) and d.tries > 0`);
}
