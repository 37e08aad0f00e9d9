import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { TileAddress } from '@/db/queries/cells-tile';
import type { Filter } from '@/lib/contract/filter';
import { TILE_LAYERS } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** More than these cover each other; the newest are kept. At 24 bytes a point they fit into 100 kB. */
export const MAX_POINTS = 4_000;

/** The layer of entries as points, as MVT bytes, the newest last (drawn on top). */
export async function pointsTile(db: Db | Tx, { z, x, y }: TileAddress, filter: Filter, role: Role): Promise<Buffer> {
  const cell = positionFor(role);
  const first = sql`dlq.tile_first_cell(${z}::integer, ${x}::integer, ${y}::integer)`;
  const cells = 2 ** (26 - z);
  const { rows } = await db.execute<{ mvt: Buffer }>(sql`
    with hits as (
      select s.entry_id, ${cell} as cell, c.failure_class, (s.reopen_count > 0)::integer as reopened, s.state, s.failed_at
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${cell} >= ${first} and ${cell} < ${first} + ${cells ** 2}::bigint and ${matching(filter, role)}
      order by s.failed_at desc, s.entry_id desc limit ${MAX_POINTS}::integer
    )
    select coalesce(ST_AsMVT(t, ${TILE_LAYERS.points}::text, 4096, 'geom', 'entry_id'), '') as mvt
    from (
      select ST_MakePoint(floor((dlq.gather_bits(h.cell) - ${x * cells}::bigint + 0.5) * ${4096 / cells}::float8),
          floor((dlq.gather_bits(h.cell >> 1) - ${y * cells}::bigint + 0.5) * ${4096 / cells}::float8)) as geom,
        h.entry_id, h.failure_class, h.reopened, h.state
      from hits h order by h.failed_at, h.entry_id) t`);
  return rows[0]?.mvt ?? Buffer.alloc(0);
}
