import { cancelItems } from '@/db/queries/cancel-items';
import { steerOperation } from '@/db/queries/steer-operation';
import { DlqError } from '@/lib/contract/error';
import type { Operation } from '@/lib/contract/operation';
import { getOperation } from './get-operation';
import type { OperationContext } from './operation-context';

/** Stops sending; what is in flight is answered. @throws DlqError not_found, conflict (not running). */
export async function pauseOperation(ctx: OperationContext, id: string): Promise<Operation> {
  await getOperation(ctx, id);
  const paused = await steerOperation(ctx.db, {
    id,
    from: ['running'],
    to: 'paused',
    because: `paused by ${ctx.actor.name}`,
  });
  return steered(ctx, id, paused !== null, 'paused');
}

/** Goes on, past a canary that stopped it too. @throws DlqError not_found, conflict (not paused). */
export async function resumeOperation(ctx: OperationContext, id: string): Promise<Operation> {
  await getOperation(ctx, id);
  const resumed = await steerOperation(ctx.db, { id, from: ['paused'], to: 'running', because: null });
  return steered(ctx, id, resumed !== null, 'resumed');
}

/** Takes out what still waits; those entries stay as they are. What was sent cannot be unsent. @throws DlqError not_found, conflict. */
export async function cancelOperation(ctx: OperationContext, id: string): Promise<Operation> {
  await getOperation(ctx, id);
  const cancelled = await ctx.db.transaction(async (tx) => {
    const state = await steerOperation(tx, { id, from: ['running', 'paused'], to: 'cancelled', because: null });
    if (state !== null) await cancelItems(tx, id);
    return state;
  });
  return steered(ctx, id, cancelled !== null, 'cancelled');
}

async function steered(ctx: OperationContext, id: string, done: boolean, word: string): Promise<Operation> {
  const operation = await getOperation(ctx, id);
  if (!done) throw new DlqError('conflict', `operation ${id} is ${operation.state} and cannot be ${word}`);
  return operation;
}
