import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

export type BlobTotals = {
  named: number;
  named_bytes: number;
  unnamed: number;
  unnamed_bytes: number;
  /** Blobs that payloads name and that are not in the store; up to ten of them by name. */
  missing: number;
  missing_refs: string[];
};

/** What the blob store holds, as the database knows it. */
export async function blobTotals(db: Db): Promise<BlobTotals> {
  const { rows } = await db.execute<BlobTotals>(sql`
    with named as materialized (
      select distinct p.payload_ref, dlq.blob_of(p.payload_ref) as sha256 from dlq.payload p where p.payload_ref is not null
    ), held as (
      select b.size_bytes, n.sha256 is not null as is_named
      from dlq.blob b left join named n on n.sha256 = b.sha256
      where b.stored_at is not null
    ), missing as (
      select n.payload_ref from named n
      where not exists (select 1 from dlq.blob b where b.sha256 = n.sha256 and b.stored_at is not null)
    )
    select count(*) filter (where is_named)::float8 as named, coalesce(sum(size_bytes) filter (where is_named), 0)::float8 as named_bytes,
      count(*) filter (where not is_named)::float8 as unnamed,
      coalesce(sum(size_bytes) filter (where not is_named), 0)::float8 as unnamed_bytes,
      (select count(*) from missing)::float8 as missing,
      array(select payload_ref from missing order by payload_ref limit 10) as missing_refs
    from held`);
  return rows[0]!;
}
