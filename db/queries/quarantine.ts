import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';
import type { ChangedRow, SeenItem } from './abandon';

/**
 * Keeps open entries from being redriven until a person reopens them.
 * Locks the state rows in id order and waits for them. A lost race is an id that is missing from the answer: its version is
 * another, or it is not open.
 */
export async function quarantine(db: Db | Tx, items: readonly SeenItem[]): Promise<ChangedRow[]> {
  const { rows } = await db.execute<ChangedRow>(sql`
    with locked as (
      select s.entry_id
      from unnest(${sql.param(items.map((item) => item.entry_id))}::bigint[],
        ${sql.param(items.map((item) => item.version))}::bigint[]) as w (entry_id, version)
      join dlq.state s on s.entry_id = w.entry_id
      where s.version = w.version and s.state = 'open'
      order by s.entry_id
      for update of s
    )
    update dlq.state s set state = 'quarantined', version = s.version + 1
    from locked l where s.entry_id = l.entry_id
    returning s.entry_id::text, s.state, s.cancel_requested, s.version::text`);
  return rows;
}
