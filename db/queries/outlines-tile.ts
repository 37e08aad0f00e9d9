import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { TileAddress } from '@/db/queries/cells-tile';
import type { Filter } from '@/lib/contract/filter';
import { TILE_LAYERS } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** Over this many the tile has no outlines: the points say it. */
export const MAX_OUTLINES = 500;

/**
 * The layer of footprints, as MVT bytes. Only of entries whose true position the role sees, since a footprint says it.
 * Each geometry is fitted to the tile behind its own guard.
 */
export async function outlinesTile(db: Db | Tx, { z, x, y }: TileAddress, filter: Filter, role: Role): Promise<Buffer> {
  const bounds = sql`ST_TileEnvelope(${z}::integer, ${x}::integer, ${y}::integer)`;
  const around = sql`ST_TileEnvelope(${z}::integer, ${x}::integer, ${y}::integer, margin => ${64 / 4096}::float8)`;
  const { rows } = await db.execute<{ mvt: Buffer }>(sql`
    with hits as materialized (
      select s.entry_id, d.outline, dlq.few_crossings(d.faults, d.ruleset) as few_crossings, c.failure_class, (s.reopen_count > 0)::integer as reopened, s.state, s.failed_at
      from dlq.diagnosis d join dlq.state s on s.entry_id = d.entry_id join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where d.outline && ${around} and ${positionFor(role)} = s.cell and ${matching(filter, role)}
      limit ${MAX_OUTLINES + 1}::integer
    )
    select coalesce(ST_AsMVT(t, ${TILE_LAYERS.outlines}::text, 4096, 'geom', 'entry_id'), '') as mvt
    from (
      select f.geom, h.entry_id, h.failure_class, h.reopened, h.state
      from hits h cross join lateral (select dlq.mvt_geometry(h.outline, ${bounds}, h.few_crossings) as geom offset 0) f
      where (select count(*) from hits) <= ${MAX_OUTLINES}::integer and f.geom is not null
      order by h.failed_at, h.entry_id) t`);
  return rows[0]?.mvt ?? Buffer.alloc(0);
}
