import { asActor } from '@/db/as-actor';
import type { Db, Tx } from '@/db/client';
import { abandon, type ChangedRow, type SeenItem } from '@/db/queries/abandon';
import type { OperationRow } from '@/db/queries/get-operation';
import { markItems } from '@/db/queries/mark-items';
import { quarantine } from '@/db/queries/quarantine';
import { reopen } from '@/db/queries/reopen';
import { skipItems } from '@/db/queries/skip-items';
import { holdWaiting, takeItems } from '@/db/queries/take-items';

/** Changes a transaction: under half a second, so that a cancel takes effect within one and lists stay fast. */
const CHUNK = 5000;

/**
 * Applies an operation's action to its next waiting items, in one transaction with what is recorded of them; answers how
 * many it took. An item whose entry has another version than at the preview is left as it is, and says so.
 */
export async function applyChunk(db: Db, operation: OperationRow): Promise<number> {
  const next = await takeItems(db, operation.id, CHUNK);
  if (next.length === 0) return 0;
  const acting = { actor: operation.actor, reason: operation.reason, operation_id: operation.id };
  await asActor(db, acting, async (tx) => {
    const waiting = await holdWaiting(
      tx,
      operation.id,
      next.map((item) => item.entry_id),
    );
    const items = next.filter((item) => waiting.has(item.entry_id));
    const changed = new Set((await act(tx, operation, items)).map((row) => row.entry_id));
    await markItems(
      tx,
      operation.id,
      items
        .filter((item) => changed.has(item.entry_id))
        .map(({ entry_id }) => ({ entry_id, outcome: 'applied', attempt_id: null })),
    );
    await skipItems(
      tx,
      operation.id,
      items
        .filter((item) => !changed.has(item.entry_id))
        .map(({ entry_id }) => ({ entry_id, reason: 'changed_since', detail: null })),
    );
  });
  return next.length;
}

function act(tx: Tx, operation: OperationRow, items: SeenItem[]): Promise<ChangedRow[]> {
  switch (operation.action) {
    case 'abandon':
      return abandon(tx, items, operation.reason ?? 'abandoned');
    case 'quarantine':
      return quarantine(tx, items);
    case 'reopen':
      return reopen(tx, items);
    case 'redrive':
      throw new Error('a redrive is sent, not applied');
  }
}
