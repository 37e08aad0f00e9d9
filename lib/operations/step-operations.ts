import type { Db } from '@/db/client';
import type { OperationRow } from '@/db/queries/get-operation';
import { leaseOperation } from '@/db/queries/lease-operation';
import { steerOperation } from '@/db/queries/steer-operation';
import { applyChunk } from './apply-chunk';
import { sendBatch } from './send-batch';

/**
 * One step of the running operation whose turn it is: a chunk of changes, or at most a second of a redrive's rate.
 * Answers 1, or 0 where no operation runs or the one that does only waits for answers. `worker` names this stepper
 * alone: two of one name would step one operation together.
 */
export async function stepOperations(db: Db, worker: string, signal: AbortSignal): Promise<number> {
  const operation = await leaseOperation(db, worker);
  if (!operation) return 0;
  if (operation.action === 'redrive') return sendBatch(db, operation, worker, signal);
  const applied = await applyChunk(db, operation);
  if (applied === 0) await finish(db, operation);
  return 1;
}

async function finish(db: Db, operation: OperationRow): Promise<void> {
  await steerOperation(db, { id: operation.id, from: ['running'], to: 'finished', because: null });
}
