import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@/db/client';
import type { OperationRow } from '@/db/queries/get-operation';
import { markItems } from '@/db/queries/mark-items';
import { requeueItems } from '@/db/queries/requeue-items';
import { skipItems } from '@/db/queries/skip-items';
import { steerOperation } from '@/db/queries/steer-operation';
import { holdWaiting, takeItems } from '@/db/queries/take-items';
import { type Dispatched, dispatch } from '@/lib/redrive/dispatch';
import { getOperation } from './get-operation';
import { nextBatch } from './next-batch';

/** The lease of an operation lasts 30 s: no send of a batch may outlive it. */
const TIMEOUT_MS = 10_000;

/** Sends what a running redrive may send next, then keeps to its rate. Answers 0 where it only waits for answers. */
export async function sendBatch(db: Db, operation: OperationRow, worker: string, signal: AbortSignal): Promise<number> {
  const actor = { name: operation.actor, role: 'operator' as const };
  const { outcomes } = await getOperation({ db, actor }, operation.id);
  const rate_per_s = operation.rate_per_s ?? 1;
  const next = nextBatch({ rate_per_s, canary: operation.canary, outcomes });
  switch (next.do) {
    case 'wait':
      return 0;
    case 'finish':
      await steerOperation(db, { id: operation.id, from: ['running'], to: 'finished', because: null });
      return 1;
    case 'pause':
      await steerOperation(db, { id: operation.id, from: ['running'], to: 'paused', because: next.because });
      return 1;
    case 'send':
      break;
  }
  const started = performance.now();
  const items = await takeItems(db, operation.id, next.count);
  const results = await dispatch(
    { db, actor },
    {
      items,
      operation_id: operation.id,
      reason: operation.reason ?? 'redrive',
      worker,
      timeout_ms: TIMEOUT_MS,
      signal,
      hold: (tx, entry_ids) => holdWaiting(tx, operation.id, entry_ids),
      record: async (tx, records) => {
        await markItems(
          tx,
          operation.id,
          records.flatMap((record) => (record.outcome === 'sent' ? [record] : [])),
        );
        await skipItems(
          tx,
          operation.id,
          records.flatMap((record) => (record.outcome === 'skipped' ? [record] : [])),
        );
      },
    },
  );
  await putBackUnsent(db, operation, results, signal);
  const left_ms = (items.length / rate_per_s) * 1000 - (performance.now() - started);
  if (left_ms > 0) await wait(left_ms, undefined, { signal }).catch(() => {});
  return 1;
}

/** What provably never left waits again; a target that takes nothing pauses the operation instead of burning it down. */
async function putBackUnsent(
  db: Db,
  operation: OperationRow,
  results: Dispatched[],
  signal: AbortSignal,
): Promise<void> {
  const unsent = results.filter((result) => result.outcome === 'never_sent');
  if (unsent.length === 0) return;
  await requeueItems(
    db,
    operation.id,
    unsent.flatMap((result) => result.attempt_id ?? []),
  );
  if (signal.aborted) return;
  const because = `nothing could be sent: ${unsent[0]?.detail ?? 'the target takes nothing'}`;
  await steerOperation(db, { id: operation.id, from: ['running'], to: 'paused', because });
}
