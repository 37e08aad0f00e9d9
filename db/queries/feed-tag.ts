import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

/**
 * Text that differs whenever another set of changes is visible. The highest revision alone would not do: a transaction
 * that drew an earlier one can commit later. So it also names the transactions below the newest that are still open.
 */
export async function feedTag(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ tag: string }>(sql`
    select concat_ws('.', (select last_value from dlq.change_rev_seq), newest.xid,
      (select string_agg(open.xid::text, '.' order by open.xid) from pg_snapshot_xip(pg_current_snapshot()) open(xid)
        where open.xid < newest.xid)) as tag
    from (select 1) one left join (select c.xid from dlq.change c order by c.xid desc limit 1) newest on true`);
  return rows[0]?.tag ?? '';
}
