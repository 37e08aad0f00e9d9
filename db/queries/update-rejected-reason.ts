import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Keeps why a line was not taken when it was tried again; one that was dealt with meanwhile stays as it is. */
export async function updateRejectedReason(
  db: Db,
  { id, reason, message }: { id: string; reason: string; message: string },
): Promise<void> {
  await db.execute(sql`
    update dlq.rejected_line set reason = ${reason}::text, message = ${message}::text
    where id = ${id}::bigint and dismissed_at is null`);
}
