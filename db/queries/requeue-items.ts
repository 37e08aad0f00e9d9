import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Items whose attempt never left this side wait again, at the version that their entry has now. */
export async function requeueItems(db: Db, operation_id: string, attempt_ids: string[]): Promise<void> {
  await db.execute(sql`
    update dlq.operation_item i set outcome = 'waiting', attempt_id = null, done_at = null, version = s.version
    from dlq.state s
    where i.operation_id = ${operation_id}::bigint and i.attempt_id = any (${sql.param(attempt_ids)}::uuid[])
      and s.entry_id = i.entry_id and s.state = 'open'`);
}
