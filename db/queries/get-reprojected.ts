import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { positionFor } from '@/db/position-sql';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface ReprojectedRow extends Record<string, unknown> {
  sensitive: boolean;
  /** Changes with the payload and with its diagnosis; null where there is no diagnosis. */
  tag: string | null;
  unmappable_reason: string | null;
  /** EWKB in EPSG:4326. */
  wkb: Buffer | null;
}

/** The footprint, where the role sees the entry's true position. Not read again where its tag is among `known`. */
export async function getReprojected(
  db: Db | Tx,
  id: string,
  role: Role,
  known: readonly string[],
): Promise<ReprojectedRow | null> {
  const { rows } = await db.execute<ReprojectedRow>(sql`
    select e.sensitive, t.tag, d.unmappable_reason,
      case when t.tag is not null and t.tag <> all(${sql.param([...known])}::text[]) and ${positionFor(role)} = s.cell
        then ST_AsEWKB(d.footprint) end as wkb
    from dlq.entry e
    join dlq.state s on s.entry_id = e.id
    left join dlq.diagnosis d on d.entry_id = e.id and d.payload_hash = e.payload_hash and d.diagnosed_at is not null
    cross join lateral (select encode(substr(d.payload_hash, 1, 12), 'hex') || '-' || (extract(epoch from d.diagnosed_at) * 1000000)::bigint as tag) t
    where e.id = ${id}::bigint`);
  return rows[0] ?? null;
}
