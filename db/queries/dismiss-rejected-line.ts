import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** Marks a rejected line as dealt with, with the entry it became where it did. False where somebody was faster. */
export async function dismissRejectedLine(
  db: Db | Tx,
  input: { id: string; by: string; entry_id: string | null },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update dlq.rejected_line
    set dismissed_at = clock_timestamp(), dismissed_by = ${input.by}::text, entry_id = ${input.entry_id}::bigint
    where id = ${input.id}::bigint and dismissed_at is null returning id`);
  return rows.length === 1;
}
