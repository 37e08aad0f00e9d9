import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Entry } from '@/lib/contract/entry';

/**
 * The code versions in which a task's entries last failed, in the order of their first failure, the newest 200. Read from
 * the narrow table: the wide one of a task with a million entries takes seconds.
 */
export async function listCodeVersions(db: Db | Tx, task_name: string): Promise<Entry['versions']> {
  const { rows } = await db.execute<Entry['versions'][number] & Record<string, unknown>>(sql`
    select v.code_version, dlq.iso(v.first_at) as first_seen, dlq.iso(v.last_at) as failed_at, v.entries
    from (
      select c.code_version, min(s.failed_at) as first_at, max(s.failed_at) as last_at, count(*)::integer as entries
      from dlq.combo c join dlq.state s on s.combo = c.id
      where c.task_name = ${task_name}::text and c.code_version is not null
      group by 1 order by 2 desc limit 200) v
    order by v.first_at, v.code_version`);
  return rows;
}
