import type { z } from 'zod';
import type { Db } from '@/db/client';
import { readAttempt } from '@/db/queries/read-attempt';
import { DlqError } from '@/lib/contract/error';
import type { outcomeSchema } from '@/lib/contract/task';
import type { Resolution, Role, State } from '@/lib/dead-letter/vocabulary';
import { settleBatch } from './settle-batch';

/** `applied` is false where the same outcome was known before. */
export interface RecordedOutcome {
  applied: boolean;
  state: State;
  resolution: Resolution | null;
}

const ENDED_AS = { succeeded: 'succeeded', failed: 'refailed' } as const;

/**
 * The pipeline's later word on a redrive. It counts for the attempt it names, while that one is in flight or in doubt; told
 * twice, the second changes nothing.
 * @throws DlqError `not_found`: this entry has no such attempt. `conflict`: the attempt was not sent, or has ended otherwise.
 */
export async function recordOutcome(
  { db, actor }: { db: Db; actor: { name: string; role: Role } },
  { entry_id, attempt_id, outcome, message }: { entry_id: string } & z.infer<typeof outcomeSchema>,
): Promise<RecordedOutcome> {
  const item = { entry_id, attempt_id, outcome, answer: message?.replaceAll('\0', '\uFFFD') ?? null };
  const [settled] = await settleBatch(db, { actor: actor.name, operation_id: null }, [item]);
  if (settled) return { applied: true, state: settled.state, resolution: settled.resolution };
  const attempt = await readAttempt(db, attempt_id);
  if (attempt?.entry_id !== entry_id)
    throw new DlqError('not_found', `dead letter ${entry_id} has no redrive ${attempt_id}`);
  const { state, resolution } = attempt;
  if (attempt.outcome === ENDED_AS[outcome]) return { applied: false, state, resolution };
  throw new DlqError(
    'conflict',
    attempt.outcome === null && attempt.sent_at === null
      ? `redrive ${attempt_id} has not been sent, so it cannot have ${outcome}`
      : `redrive ${attempt_id} ended as ${attempt.outcome}; the entry is ${state}${resolution ? ` (${resolution})` : ''}`,
    { state, resolution, outcome: attempt.outcome },
  );
}
