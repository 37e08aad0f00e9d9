import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { sortLargeSets } from './sort-large-sets';

export interface HolesInput {
  queue: string;
  run_id: string;
  task_name: string;
  /** The key of the last tile of the page before. */
  after: bigint | null;
  limit: number;
}

/**
 * The tiles of a run's manifest that neither succeeded nor are dead letters of this run, by zoom and column.
 * Null where there is no manifest, or where successes were counted and not named. Locks nothing.
 */
export async function runHoles(
  db: Db,
  { queue, run_id, task_name, after, limit }: HolesInput,
): Promise<{ total: number; tiles: string[] } | null> {
  const rows = await db.transaction(async (tx) => {
    await sortLargeSets(tx);
    const found = await tx.execute<{ known: boolean; total: number; tiles: string[] }>(sql`
    with run as (
      select r.id, r.expected_tiles > 0 and (r.succeeded_tiles > 0 or coalesce(r.succeeded, 0) = 0) as known
      from dlq.run r
      where r.queue = ${queue}::text and r.run_id = ${run_id}::text and r.task_name = ${task_name}::text
    ), holes as materialized (
      select unnest(t.tiles) as k from dlq.run_tiles t join run on run.known and t.run = run.id and t.kind = 'expected'
      except (
        select unnest(t.tiles) from dlq.run_tiles t join run on t.run = run.id and t.kind = 'succeeded'
        union all
        select dlq.tile_key(p.tile_z, p.tile_x, p.tile_y)
        from (select distinct o.entry_id, o.payload_hash from dlq.occurrence o where o.run_id = ${run_id}::text) o
        join dlq.entry e on e.id = o.entry_id and e.queue = ${queue}::text and e.task_name = ${task_name}::text
        join dlq.payload p on p.entry_id = o.entry_id and p.payload_hash = o.payload_hash
        where p.tile_z between 0 and 29 and p.tile_x >= 0 and p.tile_y >= 0
          and p.tile_x < 1::bigint << p.tile_z and p.tile_y < 1::bigint << p.tile_z)
    )
    select coalesce((select known from run), false) as known, (select count(*)::integer from holes) as total,
      array(select dlq.tile_text(h.k) from (
        select k from holes where ${after?.toString() ?? null}::bigint is null or k > ${after?.toString() ?? null}::bigint
        order by k limit ${limit}::integer) h order by h.k) as tiles`);
    return found.rows;
  });
  const { known, total, tiles } = rows[0]!;
  return known ? { total, tiles } : null;
}
