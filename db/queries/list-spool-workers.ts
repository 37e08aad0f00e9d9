import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Who holds a file of this source. */
export async function listSpoolWorkers(db: Db, source: string): Promise<string[]> {
  const { rows } = await db.execute<{ worker: string }>(sql`
    select distinct worker from dlq.spool_file where source = ${source}::text and state = 'loading'`);
  return rows.map(({ worker }) => worker);
}
