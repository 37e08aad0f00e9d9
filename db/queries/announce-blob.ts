import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Says that a blob is about to be put: from then on it is young. Waits for whoever is removing it. */
export async function announceBlob(db: Db, sha256: string): Promise<void> {
  await db.execute(sql`
    insert into dlq.blob (sha256) values (decode(${sha256}::text, 'hex'))
    on conflict (sha256) do update set last_put_at = clock_timestamp()`);
}
