import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Views that are not deleted. */
export async function countViews(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::integer as count from dlq.saved_view where deleted_at is null`,
  );
  return rows[0]?.count ?? 0;
}
