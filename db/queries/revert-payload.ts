import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type StoredVersionRow = { payload_hash: string; edited_by: string | null };

/** A stored version of an entry's payload by its hash; null where there is none. */
export async function storedVersion(tx: Tx, entry_id: string, payload_hash: string): Promise<StoredVersionRow | null> {
  const { rows } = await tx.execute<StoredVersionRow>(sql`
    select encode(p.payload_hash, 'hex') as payload_hash, p.edited_by from dlq.payload p
    where p.entry_id = ${entry_id}::bigint and p.payload_hash = decode(${payload_hash}::text, 'hex')`);
  return rows[0] ?? null;
}
