import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export type RepairSourceRow = {
  entry_id: string;
  sensitive: boolean;
  /** Hex. */
  payload_hash: string;
  geom_wkb: Buffer | null;
  geom_bytes: number | null;
  geom_given: boolean;
  geom_format: string | null;
  srid: number | null;
  src_crs: string | null;
  payload_ref: string | null;
  /** The candidates of this payload's own diagnosis. */
  candidates: unknown;
};

/** The current payload of an entry as far as a repair or an edit starts from it; the bytes are left out over `limit_bytes`. */
export async function repairSource(
  db: Db | Tx,
  entry_id: string,
  limit_bytes: number,
): Promise<RepairSourceRow | null> {
  const { rows } = await db.execute<RepairSourceRow>(sql`
    select e.id::text as entry_id, e.sensitive, encode(e.payload_hash, 'hex') as payload_hash,
      case when octet_length(p.geom_wkb) <= ${limit_bytes}::integer then p.geom_wkb end as geom_wkb,
      octet_length(p.geom_wkb) as geom_bytes, p.geom_given is not null as geom_given, p.geom_format, p.srid, p.src_crs, p.payload_ref,
      coalesce(d.candidates, '[]') as candidates
    from dlq.entry e
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join dlq.diagnosis d on d.entry_id = e.id and d.payload_hash = e.payload_hash and d.diagnosed_at is not null
    where e.id = ${entry_id}::bigint`);
  return rows[0] ?? null;
}
