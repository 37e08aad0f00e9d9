import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type TileKind = 'expected' | 'succeeded';

/** More rows than this are made one: each report reads them all. */
const MAX_ROWS = 64;

/**
 * Adds those tiles to a run's list that are not in it, and gives how many the list has now. Its run must be locked.
 * `except` and not an anti-join: of arrays the planner knows no size, and a nested loop over a million would never end.
 */
export async function addRunTiles(tx: Tx, run: string, kind: TileKind, keys: readonly bigint[]): Promise<number> {
  const { rows } = await tx.execute<{ total: number; rows: number }>(sql`
    with fresh as (
      select t from unnest(${`{${keys.join(',')}}`}::bigint[]) t
      except select unnest(x.tiles) from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text
    ), added as (
      insert into dlq.run_tiles (run, kind, tiles)
      select ${run}::bigint, ${kind}::text, array_agg(t order by t) from fresh having count(*) > 0
      returning cardinality(tiles) as n
    )
    update dlq.run r set
      expected_tiles = r.expected_tiles + case when ${kind}::text = 'expected' then a.n else 0 end,
      succeeded_tiles = r.succeeded_tiles + case when ${kind}::text = 'succeeded' then a.n else 0 end
    from (select coalesce(sum(n), 0)::bigint as n from added) a where r.id = ${run}::bigint
    returning case when ${kind}::text = 'expected' then r.expected_tiles else r.succeeded_tiles end::double precision as total,
      (select count(*)::integer from dlq.run_tiles x where x.run = r.id and x.kind = ${kind}::text) as rows`);
  const { total, rows: parts } = rows[0]!;
  if (parts >= MAX_ROWS) await joinRows(tx, run, kind);
  return total;
}

async function joinRows(tx: Tx, run: string, kind: TileKind): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text returning x.tiles
    )
    insert into dlq.run_tiles (run, kind, tiles)
    select ${run}::bigint, ${kind}::text, array_agg(t order by t) from gone, unnest(gone.tiles) t`);
}
