import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

export type UnnamedBlob = { sha256: string; size_bytes: number };

/** Blobs after `after` that no payload names and that were last put longer ago than the grace, in the order of their hashes. */
export async function listUnnamedBlobs(
  db: Db,
  { grace_ms, after, limit }: { grace_ms: number; after: string; limit: number },
): Promise<UnnamedBlob[]> {
  const { rows } = await db.execute<UnnamedBlob>(sql`
    select encode(b.sha256, 'hex') as sha256, coalesce(b.size_bytes, 0)::float8 as size_bytes
    from dlq.blob b
    where b.sha256 > decode(${after}::text, 'hex')
      and b.last_put_at <= clock_timestamp() - ${grace_ms}::float8 * interval '1 millisecond'
      and not exists (select 1 from dlq.payload p where p.payload_ref = 'sha256:' || encode(b.sha256, 'hex'))
    order by b.sha256
    limit ${limit}::integer`);
  return rows;
}
