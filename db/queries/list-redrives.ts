import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db, Tx } from '@/db/client';
import type { redriveSchema } from '@/lib/contract/entry';

export type Redrive = z.infer<typeof redriveSchema>;

/** The newest 200 tries to send an entry back, newest first, the answers cut to 2,000 characters. */
export async function listRedrives(db: Db | Tx, entry_id: string): Promise<Redrive[]> {
  const { rows } = await db.execute<Redrive & Record<string, unknown>>(sql`
    select r.id as attempt_id, r.operation_id::text as operation_id, r.target, dlq.iso(r.claimed_at) as claimed_at,
      dlq.iso(r.sent_at) as sent_at, dlq.iso(r.acked_at) as acked_at, dlq.iso(r.ended_at) as ended_at, r.outcome,
      left(r.answer, 2000) as answer
    from dlq.redrive r
    where r.entry_id = ${entry_id}::bigint
    order by r.claimed_at desc, r.id
    limit 200`);
  return rows;
}
