import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import { CELL_ZOOM_OFFSET, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES, type Role } from '@/lib/dead-letter/vocabulary';

export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/**
 * The layer of counted cells of a tile, as MVT bytes: a 32 × 32 grid, since a tile and each of its cells are ranges of
 * the z-order. Coordinates are made in tile units; nothing is transformed.
 */
export async function cellsTile(db: Db | Tx, { z, x, y }: TileAddress, filter: Filter, role: Role): Promise<Buffer> {
  const cell = positionFor(role);
  const first = sql`dlq.tile_first_cell(${z}::integer, ${x}::integer, ${y}::integer)`;
  const side = 2 ** CELL_ZOOM_OFFSET;
  const { rows } = await db.execute<{ mvt: Buffer }>(sql`
    with hits as (
      select ${cell} >> ${2 * (26 - z - CELL_ZOOM_OFFSET)}::integer as k, c.failure_class, count(*)::integer as n,
        (count(*) filter (where s.reopen_count > 0))::integer as reopened
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${cell} >= ${first} and ${cell} < ${first} + ${4 ** (26 - z)}::bigint and ${matching(filter, role)}
      group by 1, 2
    ), grid as (
      select dlq.gather_bits(k) as col, dlq.gather_bits(k >> 1) as line, sum(n)::integer as total,
        ${sql.join(
          FAILURE_CLASSES.map(
            (word) => sql`(sum(n) filter (where failure_class = ${word}::text))::integer as ${sql.identifier(word)}, `,
          ),
          sql``,
        )}
        (sum(n) filter (where failure_class <> all(${sql.param([...FAILURE_CLASSES])}::text[])))::integer as other,
        sum(reopened)::integer as reopened
      from hits group by k
    )
    select coalesce(ST_AsMVT(t, ${TILE_LAYERS.cells}::text, 4096, 'geom'), '') as mvt
    from (
      select ST_MakePoint((col - ${x * side}::bigint + 0.5) * ${4096 / side}::float8, (line - ${y * side}::bigint + 0.5) * ${4096 / side}::float8) as geom,
        total, ${sql.join(
          FAILURE_CLASSES.map((word) => sql`${sql.identifier(word)}, `),
          sql``,
        )} other, reopened,
        format('%s/%s/%s', ${z + CELL_ZOOM_OFFSET}::integer, col, line) as cell
      from grid order by total, col, line) t`);
  return rows[0]?.mvt ?? Buffer.alloc(0);
}
