import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Notes that a token is in use. Processes that do it within the same minute write once; waits for nobody's lock. */
export async function touchToken(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    update dlq.token t set last_used_at = clock_timestamp()
    where t.id = (
      select x.id from dlq.token x
      where x.id = ${id}::bigint and (x.last_used_at is null or x.last_used_at < clock_timestamp() - interval '1 minute')
      for update skip locked)`);
}
