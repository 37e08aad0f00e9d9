import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';

/**
 * Takes a blob out of the database where still no payload names it and it is still older than the grace; false where one
 * of them is no longer so. Locks its row first, against uploads and captures that name it, and looks only then: what waited
 * for the lock was committed after this statement's own snapshot.
 */
export async function forgetBlob(tx: Tx, sha256: string, grace_ms: number): Promise<boolean> {
  const locked = await tx.execute(sql`
    select 1 from dlq.blob b
    where b.sha256 = decode(${sha256}::text, 'hex')
      and b.last_put_at <= clock_timestamp() - ${grace_ms}::float8 * interval '1 millisecond'
    for update`);
  if (locked.rows.length === 0) return false;
  const { rows } = await tx.execute(sql`
    delete from dlq.blob b
    where b.sha256 = decode(${sha256}::text, 'hex')
      and not exists (select 1 from dlq.payload p where p.payload_ref = ${`sha256:${sha256}`}::text)
    returning 1`);
  return rows.length > 0;
}
