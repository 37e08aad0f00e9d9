import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Forgets files of a source that were loaded or lost before `before`, but for those with rejected lines. */
export async function pruneSpoolFiles(db: Db, input: { source: string; before: Date }): Promise<void> {
  await db.execute(sql`
    delete from dlq.spool_file f
    where f.source = ${input.source}::text and f.state in ('loaded', 'missing')
      and coalesce(f.loaded_at, f.first_seen_at) < ${input.before.toISOString()}::timestamptz
      and not exists (select 1 from dlq.rejected_line r where r.spool_file_id = f.id)`);
}
