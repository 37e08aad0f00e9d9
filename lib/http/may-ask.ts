import { getConfig } from '@/lib/config';
import { DlqError } from '@/lib/contract/error';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { checkCaptureRate } from '@/lib/tokens/capture-rate';
import { type Actor, mayAct } from './actor';
import { isWrite } from './same-site';

/** @throws DlqError forbidden, unauthorized or rate_limited where this actor may not ask for this, now. */
export function checkMayAsk(actor: Actor, options: { role: Role; intake?: boolean }, request: Request): void {
  const { role, intake = false } = options;
  if (actor.producer) {
    if (!intake)
      throw new DlqError(
        'forbidden',
        `the token ${actor.producer.name} is a producer's: it may send captures, blobs and runs, and nothing else`,
      );
    if (isWrite(request.method)) checkCaptureRate(actor.producer);
    return;
  }
  if (intake && isWrite(request.method) && getConfig().intake.without_token === 'token')
    throw new DlqError(
      'unauthorized',
      'this takes a producer’s token (DLO_INTAKE=token): make one with `dlo token create <name>` and send it as “Authorization: Bearer …”',
    );
  if (!mayAct(actor, role))
    throw new DlqError('forbidden', `this takes the role ${role}; ${actor.name} has ${actor.role}`);
}
