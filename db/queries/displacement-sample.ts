import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** The sampled entries of one group, as arrays side by side. */
export interface DisplacementSample extends Record<string, unknown> {
  failure_class: string;
  task_name: string;
  src_crs: string | null;
  crs_verdict: string | null;
  suggestion: string | null;
  /** The cell that the role may see; below 2^52, so exact in JSON. */
  cells: number[];
  /** z, x, y of each. */
  tiles: [number, number, number][];
  /** Null where the role does not see the true place, which this would tell. */
  tile_distances_m: (number | null)[];
}

/**
 * Place and tile of the newest `limit` matching entries that have both, by class, task and claim. The tile is that of the
 * payload which was diagnosed, since the place is too. Nothing is transformed. The lateral's `offset 0` keeps two index
 * probes an entry: the planner takes the two-column join for one row and would scan all payloads for each entry.
 */
export async function sampleDisplacement(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  limit: number,
): Promise<DisplacementSample[]> {
  // By the index of failed_at an unfiltered sample is soon full; a filter that matches few would walk all of it, row by
  // row (800 ms at 200,000 entries, and 280 ms by sorting what matches), so there the index is put out of reach.
  const order =
    Object.keys(filter).length === 0
      ? sql`s.failed_at desc, s.entry_id desc`
      : sql`(s.failed_at + interval '0') desc, s.entry_id desc`;
  const { rows } = await db.execute<DisplacementSample>(sql`
    with newest as materialized (
      select s.entry_id, c.failure_class, c.task_name, c.src_crs, c.crs_verdict, ${positionFor(role)} as shown, s.cell, s.tile_distance_m
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where s.tile_distance_m is not null and ${positionFor(role)} is not null and ${matching(filter, role)}
      order by ${order} limit ${limit}::integer
    )
    select n.failure_class, n.task_name, n.src_crs, mode() within group (order by n.crs_verdict) as crs_verdict,
      mode() within group (order by t.suggestion) as suggestion,
      json_agg(n.shown) as cells, json_agg(json_build_array(t.tile_z, t.tile_x, t.tile_y)) as tiles,
      json_agg(case when n.shown = n.cell then n.tile_distance_m end) as tile_distances_m
    from newest n
    cross join lateral (
      select d.suggestion #>> '{}' as suggestion, p.tile_z, p.tile_x, p.tile_y
      from dlq.diagnosis d join dlq.payload p on p.entry_id = d.entry_id and p.payload_hash = d.payload_hash
      where d.entry_id = n.entry_id and p.tile_z is not null and p.tile_x is not null and p.tile_y is not null
      offset 0
    ) t
    group by 1, 2, 3`);
  return rows;
}
