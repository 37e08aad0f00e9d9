import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type TileKind = 'expected' | 'succeeded';

/** More pieces than this are made one: a tile is looked for in a row of each. */
const MAX_PIECES = 64;
/** Small enough to be read for the sake of one tile. */
const TILES_A_ROW = 1024;
/** Looked for one by one in 40 ms at most, where a list of a million would be sorted for 2 s. */
const FEW_TILES = 1000;

/**
 * Adds those tiles to a run's list that are not in it, and gives how many the list has now. Its run must be locked.
 * `except` and not an anti-join: of arrays the planner knows no size, and a nested loop over a million would never end.
 */
export async function addRunTiles(tx: Tx, run: string, kind: TileKind, keys: readonly bigint[]): Promise<number> {
  const other: TileKind = kind === 'expected' ? 'succeeded' : 'expected';
  const { rows } = await tx.execute<{ total: number; pieces: number }>(sql`
    with given as materialized (
      select t from unnest(${`{${keys.join(',')}}`}::bigint[]) t
    ), fresh as materialized (
      select t from given except ${listedOf(keys, run, kind)}
    ), hit as (
      select t from fresh intersect ${listedOf(keys, run, other)}
    ), before as (
      select coalesce(max(x.piece), 0) as pieces from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text
    ), added as (
      ${insertRows(run, kind, sql`(select pieces + 1 from before)`, sql`fresh`)}
      returning cardinality(tiles) as n
    )
    update dlq.run r set
      expected_tiles = r.expected_tiles + case when ${kind}::text = 'expected' then a.n else 0 end,
      succeeded_tiles = r.succeeded_tiles + case when ${kind}::text = 'succeeded' then a.n else 0 end,
      hit_tiles = r.hit_tiles + (select count(*) from hit)
    from (select coalesce(sum(n), 0)::bigint as n from added) a where r.id = ${run}::bigint
    returning case when ${kind}::text = 'expected' then r.expected_tiles else r.succeeded_tiles end::double precision as total,
      (select pieces from before)::integer as pieces`);
  const { total, pieces } = rows[0]!;
  if (pieces >= MAX_PIECES) await joinPieces(tx, run, kind);
  return total;
}

async function joinPieces(tx: Tx, run: string, kind: TileKind): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text returning x.tiles
    ), every as (
      select unnest(gone.tiles) as t from gone
    )
    ${insertRows(run, kind, sql`1`, sql`every`)}`);
}

/** What a run's list may have of the given tiles: of a few just those, else all of the rows. */
const listedOf = (keys: readonly bigint[], run: string, kind: TileKind) =>
  keys.length <= FEW_TILES
    ? sql`
      select g.t from given g where exists (select from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text
        and g.t between x.first_tile and x.last_tile and g.t = any(x.tiles))`
    : sql`
      select unnest(x.tiles) from dlq.run_tiles x where x.run = ${run}::bigint and x.kind = ${kind}::text`;

/** `tiles`: a relation with each tile once, as t. */
const insertRows = (run: string, kind: TileKind, piece: SQL, tiles: SQL) => sql`
      insert into dlq.run_tiles (run, kind, piece, first_tile, last_tile, tiles)
      select ${run}::bigint, ${kind}::text, ${piece}, min(s.t), max(s.t), array_agg(s.t order by s.t)
      from (select t, (row_number() over (order by t) - 1) / ${TILES_A_ROW}::integer as part from ${tiles}) s
      group by s.part`;
