import { asActor } from '@/db/as-actor';
import type { Db, Tx } from '@/db/client';
import { claimable } from '@/db/queries/claimable';
import type { RedriveRow } from '@/db/queries/load-redrives';
import { type SettleItem, settle } from '@/db/queries/settle';
import type { Refusal } from './refused-claims';
import { persist } from './retry';

export type DispatchRecord =
  | { entry_id: string; outcome: 'sent'; attempt_id: string }
  | { entry_id: string; outcome: 'skipped'; reason: string; detail: string | null };

export type RecordItems = (tx: Tx, items: DispatchRecord[]) => Promise<void>;

/** A claimed entry that is not sent, and why. */
export type Returned = Refusal & { attempt_id: string };

/**
 * An entry is not sent where its operation was cancelled meanwhile (it is not in `wanted`) or somebody asked to abandon
 * it, else because the lease has run down.
 */
export async function whyMissed(db: Db, rows: readonly RedriveRow[], wanted: ReadonlySet<string>): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const now = await claimable(
    db,
    rows.map((row) => row.entry_id),
  );
  const cancelled = new Set(now.filter((row) => row.cancel_requested).map((row) => row.entry_id));
  return rows.map(({ entry_id, attempt_id }) => ({
    entry_id,
    attempt_id,
    reason: !wanted.has(entry_id) ? 'operation_cancelled' : cancelled.has(entry_id) ? 'cancel_requested' : 'lease_over',
    detail: null,
  }));
}

/** Claimed entries that are not sent: back to where they were, nothing burned; one transaction a reason. */
export async function giveBack(
  db: Db,
  acting: { actor: string; operation_id: string | null },
  record: RecordItems,
  items: readonly Returned[],
): Promise<void> {
  for (const reason of new Set(items.map((item) => item.reason))) {
    const alike = items.filter((item) => item.reason === reason);
    await persist(() =>
      asActor(db, { ...acting, reason: `not sent: ${reason}` }, async (tx) => {
        await settle(tx, alike.map(neverSent));
        await record(tx, alike.map(skippedRecord));
      }),
    );
  }
}

const neverSent = ({ entry_id, attempt_id, reason, detail }: Returned): SettleItem => ({
  entry_id,
  attempt_id,
  outcome: 'never_sent',
  answer: detail ?? reason,
});
export const skippedRecord = ({ entry_id, reason, detail }: Refusal): DispatchRecord => ({
  entry_id,
  outcome: 'skipped',
  reason,
  detail,
});
