import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Names of the files of a source with rejected lines that nobody has dealt with: their bytes are still needed. */
export async function listFilesWithOpenLines(db: Db, source: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct f.name from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id
    where r.dismissed_at is null and f.source = ${source}::text`);
  return rows.map(({ name }) => name);
}
