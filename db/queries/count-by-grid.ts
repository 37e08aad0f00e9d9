import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** Cells of web mercator zoom 7: 128 × 128 over the world, so at most 16,384 rows whatever the size of the queue. */
export const GRID_ZOOM = 7;

/** How many matching positions lie in each cell of the grid; `cell` is a z-order number at GRID_ZOOM. */
export async function countByGrid(db: Db | Tx, filter: Filter, role: Role): Promise<{ cell: number; count: number }[]> {
  const { rows } = await db.execute<{ cell: number; count: number }>(sql`
    select (${positionFor(role)} >> ${2 * (26 - GRID_ZOOM)}::integer)::integer as cell, count(*)::integer as count
    from dlq.state s join dlq.combo c on c.id = s.combo
    ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
    where ${positionFor(role)} is not null and ${matching(filter, role)}
    group by 1`);
  return rows;
}
