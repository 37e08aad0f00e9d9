import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db, Tx } from '@/db/client';
import type { eventSchema } from '@/lib/contract/entry';

export type Event = z.infer<typeof eventSchema>;

/** The newest 500 transitions of an entry, newest first. */
export async function listEvents(db: Db | Tx, entry_id: string): Promise<Event[]> {
  const { rows } = await db.execute<Event & Record<string, unknown>>(sql`
    select v.id::text as id, dlq.iso(v.at) as at, v.from_state, v.to_state, v.resolution, v.actor, v.reason, v.attempt_id,
      v.operation_id::text as operation_id, encode(v.payload_hash, 'hex') as payload_hash, v.change
    from dlq.event v
    where v.entry_id = ${entry_id}::bigint
    order by v.id desc
    limit 500`);
  return rows;
}
