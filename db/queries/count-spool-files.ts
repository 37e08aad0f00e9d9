import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Spool files that are known, by state, and the bytes of them that are not loaded yet. */
export async function countSpoolFiles(db: Db): Promise<{ state: string; files: number; bytes_left: number }[]> {
  const { rows } = await db.execute<{ state: string; files: number; bytes_left: number }>(sql`
    select f.state, count(*)::integer as files, sum(greatest(f.size_bytes - f.done_bytes, 0))::float8 as bytes_left
    from dlq.spool_file f group by 1 order by 1`);
  return rows;
}
