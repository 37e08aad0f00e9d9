import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Payload } from '@/lib/contract/entry';

export interface PayloadRow extends Omit<Payload, 'params_text' | 'params_exact'>, Record<string, unknown> {
  /** jsonb's own text: keys sorted, white space and repeated keys gone. */
  params_text: string | null;
  /** The bytes as given, where jsonb could not hold them. */
  params_raw: Buffer | null;
}

/** Every version of an entry's payload without its geometry, newest first, at most 100. */
export async function listPayloads(db: Db | Tx, entry_id: string): Promise<PayloadRow[]> {
  const { rows } = await db.execute<PayloadRow>(sql`
    select encode(p.payload_hash, 'hex') as payload_hash, p.geom_given, p.geom_format, p.geom_error, octet_length(p.geom_wkb) as geom_bytes,
      GeometryType(p.geom) as geom_type, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y, p.tile_matrix_set, p.source_uris,
      p.source_window, p.nodata, p.target_crs, p.params::text as params_text, p.params_raw, p.payload_ref, b.size_bytes::float8 as blob_bytes, p.edited_by,
      dlq.iso(p.captured_at) as captured_at
    from dlq.payload p
    left join dlq.blob b on b.sha256 = dlq.blob_of(p.payload_ref) and b.stored_at is not null
    where p.entry_id = ${entry_id}::bigint
    order by p.payload_hash = (select e.payload_hash from dlq.entry e where e.id = p.entry_id) desc, p.captured_at desc, p.payload_hash
    limit 100`);
  return rows.sort((a, b) => (a.captured_at < b.captured_at ? 1 : a.captured_at > b.captured_at ? -1 : 0));
}
