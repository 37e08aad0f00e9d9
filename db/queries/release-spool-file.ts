import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Lets go of a file that this worker holds; one that `failed` is not taken again for its pause. */
export async function releaseSpoolFile(
  db: Db,
  input: { id: string; worker: string; failed: { error: string; pause_s: number } | null },
): Promise<void> {
  const { error = null, pause_s = null } = input.failed ?? {};
  await db.execute(sql`
    update dlq.spool_file
    set state = case when ${error}::text is null then 'waiting' else 'failed' end, error = ${error}::text, worker = null,
      lease_until = case when ${error}::text is not null then clock_timestamp() + make_interval(secs => ${pause_s}::double precision) end
    where id = ${input.id}::bigint and worker = ${input.worker}::text and state = 'loading'`);
}
