import { asActor } from '@/db/as-actor';
import type { Db } from '@/db/client';
import { type SweepKind, type SweptRow, sweep as sweepKind } from '@/db/queries/sweep';
import { MAX_WORKER_DEATHS } from '@/lib/dead-letter/entry-model';

/** An accepted redrive that nobody confirms for this long is in doubt. */
export const CONFIRM_MS = 24 * 3_600_000;

const REASONS: Record<SweepKind, string> = {
  unsent: `the worker stopped before it was sent (after ${MAX_WORKER_DEATHS} of these it is quarantined)`,
  unanswered: 'sent, and the worker stopped before there was an answer',
  unconfirmed: 'accepted by the target, and no outcome came in time',
};

/** Takes redrives out of flight whose worker is gone or whose outcome never came. Safe beside any number of others. */
export async function sweep(
  { db, worker }: { db: Db; worker: string },
  { confirm_ms = CONFIRM_MS }: { confirm_ms?: number } = {},
): Promise<SweptRow[]> {
  const swept: SweptRow[] = [];
  for (const kind of ['unsent', 'unanswered', 'unconfirmed'] as const)
    swept.push(
      ...(await asActor(db, { actor: `worker:${worker}`, reason: REASONS[kind] }, (tx) =>
        sweepKind(tx, { kind, confirm_ms }),
      )),
    );
  return swept;
}
