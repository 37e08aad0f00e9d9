import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { conditionsOf, matching, needsEntry, ROW_CONDITIONS } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface DisplacementCount extends Record<string, unknown> {
  failure_class: string;
  task_name: string;
  src_crs: string | null;
  count: number;
  /** Of all groups, on every row. */
  total: number;
  group_count: number;
  as_of: string;
}

/**
 * How many matching entries each class, task and claim has with a tile and a place that the role may see, the most first.
 * Grouped by combo first, since texts cost more. A tile's distance is there exactly where there is a tile of the web mercator pyramid and a place.
 */
export async function countDisplacementGroups(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  limit: number,
): Promise<DisplacementCount[]> {
  const { rows } = await db.execute<DisplacementCount>(sql`
    select c.failure_class, c.task_name, c.src_crs, sum(g.n)::integer as count, (sum(sum(g.n)) over ())::integer as total,
      (count(*) over ())::integer as group_count, dlq.iso(now()) as as_of
    from (
      select s.combo, count(*) as n
      from dlq.state s ${readsCombo(filter, role) ? sql`join dlq.combo c on c.id = s.combo` : sql``}
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where s.tile_distance_m is not null and ${positionFor(role)} is not null and ${matching(filter, role)}
      group by 1
    ) g join dlq.combo c on c.id = g.combo
    group by 1, 2, 3
    order by sum(g.n) desc, 1, 2, 3 limit ${limit}::integer`);
  return rows;
}

/** Whether a condition is on the dictionary; the join alone is a third of the count. */
function readsCombo(filter: Filter, role: Role): boolean {
  const on_row: readonly string[] = [...ROW_CONDITIONS, 'state'];
  return [...conditionsOf(filter, role).keys()].some((field) => !on_row.includes(field));
}
