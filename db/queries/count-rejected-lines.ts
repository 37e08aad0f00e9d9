import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Lines that were ever rejected, and those that nobody has dealt with. */
export async function countRejectedLines(db: Db): Promise<{ as_of: string; total: number; open: number }> {
  const { rows } = await db.execute<{ as_of: string; total: number; open: number }>(sql`
    select dlq.iso(clock_timestamp()) as as_of, count(*)::integer as total, (count(*) filter (where dismissed_at is null))::integer as open from dlq.rejected_line`);
  const row = rows[0];
  if (!row) throw new Error('a count returned no row');
  return row;
}
