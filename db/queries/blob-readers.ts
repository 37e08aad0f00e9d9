import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Whether any entry names a blob, and whether one that is sensitive does. */
export async function blobReaders(db: Db, sha256: string): Promise<{ named: boolean; sensitive: boolean }> {
  const { rows } = await db.execute<{ named: boolean; sensitive: boolean }>(sql`
    select count(*) > 0 as named, coalesce(bool_or(e.sensitive), false) as sensitive
    from dlq.payload p join dlq.entry e on e.id = p.entry_id
    where p.payload_ref = ${`sha256:${sha256}`}::text`);
  return rows[0] ?? { named: false, sensitive: false };
}
