import { sql } from 'drizzle-orm';
import type { Tx } from '../client';
import { failedTiles } from './get-run';
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
  tx: Tx,
  { queue, run_id, task_name, after, limit }: HolesInput,
): Promise<{ total: number; tiles: string[] } | null> {
  await sortLargeSets(tx);
  const after_key = sql`${after?.toString() ?? null}::bigint`;
  const { rows } = await tx.execute<{ total: number; tiles: string[] }>(sql`
    with run as (
      select r.* from dlq.run r
      where r.queue = ${queue}::text and r.run_id = ${run_id}::text and r.task_name = ${task_name}::text and r.names_tiles
    ), holes as materialized (
      select unnest(t.tiles) as k from dlq.run_tiles t join run on t.run = run.id and t.kind = 'expected'
      except (
        select unnest(t.tiles) from dlq.run_tiles t join run on t.run = run.id and t.kind = 'succeeded'
        union all
        select k from run, lateral (${failedTiles(sql`run`)}) f (k))
    )
    select (select count(*)::integer from holes) as total,
      array(select dlq.tile_text(h.k) from (
        select k from holes where ${after_key} is null or k > ${after_key}
        order by k limit ${limit}::integer) h order by h.k) as tiles
    from run`);
  return rows[0] ?? null;
}
