import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/**
 * The entries that changed since `name` last read the feed, and moves its place: what is visible now and was not in the
 * reader's last snapshot, so that nothing is lost or seen twice whatever the order of commits. A new reader gets null
 * (it has to look at everything once). Locks the reader's row: one reading at a time.
 */
export async function readFeed(tx: Tx, name: string): Promise<string[] | null> {
  const { rows } = await tx.execute<{ entry_ids: string[] | null; is_new: boolean }>(sql`
    with reader as (
      select r.snapshot from dlq.feed_reader r where r.name = ${name}::text for update
    ), moved as (
      insert into dlq.feed_reader as f (name, snapshot) values (${name}::text, pg_current_snapshot())
      on conflict (name) do update set snapshot = excluded.snapshot, read_at = clock_timestamp()
    )
    select not exists (select 1 from reader) as is_new, (
      select array_agg(distinct x.id order by x.id)
      from reader r, dlq.change c, unnest(c.entry_ids) as x (id)
      where c.xid >= pg_snapshot_xmin(r.snapshot) and not pg_visible_in_snapshot(c.xid, r.snapshot)) as entry_ids`);
  const row = rows[0];
  return !row || row.is_new ? null : (row.entry_ids ?? []);
}
