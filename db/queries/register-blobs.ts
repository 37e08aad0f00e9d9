import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Records blobs that the store holds and the database does not know of, as new ones. Answers how many those were. */
export async function registerBlobs(db: Db, blobs: readonly { sha256: string; size_bytes: number }[]): Promise<number> {
  const { rows } = await db.execute(sql`
    insert into dlq.blob (sha256, size_bytes, stored_at)
    select decode(b.sha256, 'hex'), b.size_bytes, clock_timestamp()
    from unnest(${sql.param(blobs.map(({ sha256 }) => sha256))}::text[],
      ${sql.param(blobs.map(({ size_bytes }) => size_bytes))}::bigint[]) as b (sha256, size_bytes)
    order by b.sha256
    on conflict (sha256) do update set size_bytes = excluded.size_bytes, stored_at = excluded.stored_at
      where blob.stored_at is null
    returning 1`);
  return rows.length;
}
