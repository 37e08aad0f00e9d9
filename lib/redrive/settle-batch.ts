import { asActor } from '@/db/as-actor';
import type { Db } from '@/db/client';
import { type SettledRow, type SettleItem, settle } from '@/db/queries/settle';
import { SETTLEMENTS, type Settlement } from '@/lib/dead-letter/redrive-transitions';
import { retryRolledBack } from './retry';

/** The words of an entry's history. */
const REASONS: Record<Settlement, string> = {
  accepted: 'accepted by the target',
  succeeded: 'the target says it succeeded',
  rejected: 'refused by the target',
  failed: 'the target says it failed again',
  unknown: 'sent, and nothing is known of it',
  never_sent: 'not sent',
};

/**
 * Settles attempts, one statement an outcome, and answers those that this settled: the others were by a callback, a capture
 * or the sweep. Fenced by the attempt, so that it is safe to repeat.
 */
export async function settleBatch(
  db: Db,
  acting: { actor: string; operation_id: string | null },
  items: readonly SettleItem[],
): Promise<SettledRow[]> {
  const settled: SettledRow[] = [];
  for (const outcome of SETTLEMENTS) {
    const alike = items.filter((item) => item.outcome === outcome);
    if (alike.length === 0) continue;
    const change = () => asActor(db, { ...acting, reason: REASONS[outcome] }, (tx) => settle(tx, alike));
    settled.push(...(await retryRolledBack(change)));
  }
  return settled;
}
