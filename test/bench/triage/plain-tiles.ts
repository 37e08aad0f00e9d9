import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { matching } from '@/db/filter-sql';
import type { TileAddress } from '@/db/queries/cells-tile';
import type { Filter } from '@/lib/contract/filter';

/** The tile of a zoom with the most entries. */
export async function densestTile(db: Db, z: number): Promise<TileAddress> {
  const { rows } = await db.execute<{ x: number; y: number }>(sql`
    select dlq.gather_bits(k)::integer as x, dlq.gather_bits(k >> 1)::integer as y
    from (select s.cell >> ${2 * (26 - z)}::integer as k from dlq.state s where s.cell is not null group by 1 order by count(*) desc, 1 limit 1) t`);
  const { x = 0, y = 0 } = rows[0] ?? {};
  return { z, x, y };
}

/** What tile servers over PostGIS do: ST_AsMVT with a feature an entry, found by the index on its outline. Answers the bytes. */
export async function plainTile(db: Db, { z, x, y }: TileAddress, filter: Filter): Promise<number> {
  const bounds = sql`ST_TileEnvelope(${z}::integer, ${x}::integer, ${y}::integer)`;
  const { rows } = await db.execute<{ mvt: Buffer }>(sql`
    select ST_AsMVT(t, 'entries') as mvt from (
      select ST_AsMVTGeom(${z > 12 ? sql`d.outline` : sql`ST_Centroid(d.outline)`}, ${bounds}, 4096, 64) as geom,
        s.entry_id::text as id, c.failure_class, s.state
      from dlq.diagnosis d join dlq.state s on s.entry_id = d.entry_id join dlq.combo c on c.id = s.combo
      where d.outline && ${bounds} and ${matching(filter, 'operator')}) t`);
  return rows[0]?.mvt.length ?? 0;
}
