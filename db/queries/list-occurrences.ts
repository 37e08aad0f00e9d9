import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db, Tx } from '@/db/client';
import type { occurrenceSchema } from '@/lib/contract/entry';

export type Occurrence = z.infer<typeof occurrenceSchema>;

/** The newest 200 captures of an entry, newest first, the texts cut to 2,000 characters. */
export async function listOccurrences(db: Db | Tx, entry_id: string): Promise<Occurrence[]> {
  const { rows } = await db.execute<Occurrence & Record<string, unknown>>(sql`
    select o.capture_id, encode(o.payload_hash, 'hex') as payload_hash, dlq.iso(o.failed_at) as failed_at,
      dlq.iso(o.received_at) as received_at, o.via, o.attempt_id, o.code_version, o.failure_class, o.error_type,
      left(o.error_text, 2000) as error_text
    from dlq.occurrence o
    where o.entry_id = ${entry_id}::bigint
    order by o.received_at desc, o.capture_id
    limit 200`);
  return rows;
}
