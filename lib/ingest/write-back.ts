import type { Db } from '@/db/client';
import { readFeed } from '@/db/queries/read-feed';
import { writeBack } from '@/db/queries/write-back';

/** Follows the feed and keeps the marks of the seeds’ own tables and the attached ones true. Answers how many of their rows changed. */
export async function followIntoTables(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const changed = await readFeed(tx, 'seed_tables');
    return changed !== null && changed.length === 0 ? 0 : writeBack(tx, changed);
  });
}
