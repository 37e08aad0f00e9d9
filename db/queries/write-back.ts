import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/**
 * Writes the marks of entries into the seeds' own tables and the attached ones, in the seeds' words; null means all entries. `pending` is
 * open; `replayed` is redriving, redriven, in doubt and resolved as fixed, duplicate or superseded; `quarantined` is
 * quarantined and resolved as abandoned or withdrawn. Answers how many rows changed.
 */
export async function writeBack(tx: Tx, entry_ids: string[] | null): Promise<number> {
  const chosen = entry_ids === null ? sql`true` : sql`e.id = any (${sql.param(entry_ids)}::bigint[])`;
  await tx.execute(sql`select set_config('dlq.write_back', 'on', true)`);
  const { rows } = await tx.execute<{ changed: number }>(sql`
    with marks as (
      select e.id, e.idempotency_key, e.task_name, e.task_id, e.geom_hash, s.redriven_at, s.resolved_at,
        case
          when s.state = 'open' then 'pending'
          when s.state = 'quarantined' or s.resolution in ('abandoned', 'withdrawn') then 'quarantined'
          else 'replayed' end as status
      from dlq.entry e join dlq.state s on s.entry_id = e.id
      where ${chosen}
    ), first_table as (
      update public.geotask_dlq g set redriven_at = m.redriven_at, resolved_at = m.resolved_at
      from marks m
      where g.work_key = m.idempotency_key and g.task_name = m.task_name
        and (g.redriven_at, g.resolved_at) is distinct from (m.redriven_at, m.resolved_at)
      returning 1
    ), second_table as (
      update public.failed_geotasks f set status = m.status
      from marks m
      where f.task_id = m.task_id and f.geom_hash = m.geom_hash and f.status <> m.status
        and m.idempotency_key = f.task_id || ':' || f.geom_hash
        and exists (select 1 from dlq.occurrence o where o.entry_id = m.id and o.via = 'failed_geotasks')
      returning 1
    )
    select ((select count(*) from first_table) + (select count(*) from second_table)
      + dlq.write_back_attached(${sql.param(entry_ids)}::bigint[]))::integer as changed`);
  return rows[0]?.changed ?? 0;
}
