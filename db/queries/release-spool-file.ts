import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Lets go of a file that this worker holds; with an error it is not taken again for a minute. */
export async function releaseSpoolFile(
  db: Db,
  input: { id: string; worker: string; error: string | null },
): Promise<void> {
  await db.execute(sql`
    update dlq.spool_file
    set state = case when ${input.error}::text is null then 'waiting' else 'failed' end, error = ${input.error}::text, worker = null,
      lease_until = case when ${input.error}::text is not null then clock_timestamp() + interval '1 minute' end
    where id = ${input.id}::bigint and worker = ${input.worker}::text and state = 'loading'`);
}
