import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Removes changes that every reader has read and that are over an hour old; answers how many. */
export async function pruneFeed(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from dlq.change c
    where c.at < clock_timestamp() - interval '1 hour'
      and c.xid < coalesce((select min(pg_snapshot_xmin(r.snapshot)::text::bigint)::text::xid8 from dlq.feed_reader r), c.xid)`);
  return rowCount ?? 0;
}
