import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/**
 * Removes changes that every reader has read and that were there to be read for an hour; answers how many. What counts is
 * when a change could first be seen, not when it was written: a transaction that is open for longer than an hour must not
 * lose its changes as it commits. So the pruning is a reader itself, which reads once an hour. Its row is locked: two
 * workers that prune at the same time wait for each other.
 */
export async function pruneFeed(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with due as (
      insert into dlq.feed_reader as f (name, snapshot) values (${PRUNER}::text, pg_current_snapshot())
      on conflict (name) do update set snapshot = excluded.snapshot, read_at = clock_timestamp()
        where f.read_at < clock_timestamp() - interval '1 hour'
      returning f.name
    )
    delete from dlq.change c
    where exists (select from due) and exists (select from dlq.feed_reader r where r.name = ${PRUNER}::text)
      and c.xid < (select min(pg_snapshot_xmin(r.snapshot)::text::bigint)::text::xid8 from dlq.feed_reader r)`);
  return rowCount ?? 0;
}

/** The statement still sees the snapshot of an hour ago, which it replaces. */
const PRUNER = 'prune the feed';
