import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Says that a blob is in the store, and how long it is. Waits for whoever is removing it. */
export async function recordBlob(db: Db, sha256: string, size_bytes: number): Promise<void> {
  await db.execute(sql`
    insert into dlq.blob (sha256, size_bytes, stored_at)
    values (decode(${sha256}::text, 'hex'), ${size_bytes}::bigint, clock_timestamp())
    on conflict (sha256) do update set size_bytes = excluded.size_bytes, stored_at = coalesce(blob.stored_at, excluded.stored_at),
      last_put_at = excluded.last_put_at`);
}
