import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import { ITEM_COLUMNS, ITEM_DIAGNOSIS } from '@/db/queries/list-page';
import type { ExportRow } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface ExportPageRow extends ExportRow, Record<string, unknown> {
  sensitive: boolean;
  /** Bytes of the footprint where the role sees the entry's true position, about; null without one. */
  footprint_bytes: number | null;
  /** Of the current payload's geometry, inline; null without one. */
  source_bytes: number | null;
  /** Of a capture with all it holds, about. */
  capture_bytes: number;
}

/** Entries that match, by id: an id never changes, so that none comes twice and none is passed over while others change. */
export async function exportPage(
  db: Db | Tx,
  { filter, role, after_id, limit }: { filter: Filter; role: Role; after_id: string; limit: number },
): Promise<ExportPageRow[]> {
  const { rows } = await db.execute<ExportPageRow>(sql`
    with page as materialized (
      select s.entry_id, ${positionFor(role)} as shown, ${positionFor(role)} = s.cell as placed
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where s.entry_id > ${after_id}::bigint and ${matching(filter, role)}
      order by s.entry_id limit ${limit}::integer
    )
    select ${ITEM_COLUMNS}, e.error_text, e.run_id, coalesce(d.also, '{}') as also, d.crs_reason,
      d.suggestion #>> '{}' as suggestion, dlq.cell_lon(p.shown) as lon, dlq.cell_lat(p.shown) as lat,
      case when p.placed then pg_column_size(d.footprint) end as footprint_bytes,
      octet_length(x.geom_wkb) as source_bytes,
      2 * coalesce(octet_length(x.geom_wkb), 0) + coalesce(octet_length(x.geom_given), 0) + 4 * coalesce(pg_column_size(x.params), 0)
        + coalesce(octet_length(x.params_raw), 0) + 2 * coalesce(pg_column_size(e.traceback), 0) + coalesce(octet_length(e.error_text), 0) as capture_bytes
    from page p join dlq.state s on s.entry_id = p.entry_id join dlq.combo c on c.id = s.combo join dlq.entry e on e.id = p.entry_id
    left join dlq.payload x on x.entry_id = e.id and x.payload_hash = e.payload_hash
    ${ITEM_DIAGNOSIS}
    order by p.entry_id`);
  return rows;
}
