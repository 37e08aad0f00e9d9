import { sql } from 'drizzle-orm';
import type { RedriveOutcome } from '@/lib/dead-letter/entry-model';
import type { Resolution, State } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';

export type AttemptRow = {
  entry_id: string;
  sent_at: string | null;
  outcome: RedriveOutcome | null;
  state: State;
  resolution: Resolution | null;
};

/** One attempt with the state of its entry, or nothing. Locks nothing. */
export async function readAttempt(db: Db | Tx, attempt_id: string): Promise<AttemptRow | undefined> {
  const { rows } = await db.execute<AttemptRow>(sql`
    select r.entry_id::text, dlq.iso(r.sent_at) as sent_at, r.outcome, s.state, s.resolution
    from dlq.redrive r join dlq.state s on s.entry_id = r.entry_id
    where r.id = ${attempt_id}::uuid`);
  return rows[0];
}
