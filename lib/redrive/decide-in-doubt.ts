import { asActor } from '@/db/as-actor';
import type { Db } from '@/db/client';
import { claimable } from '@/db/queries/claimable';
import { reopen } from '@/db/queries/reopen';
import { resolve } from '@/db/queries/resolve';
import { DlqError } from '@/lib/contract/error';
import type { Role } from '@/lib/dead-letter/vocabulary';

/**
 * A person's word on a redrive in doubt: it `happened` (resolved as fixed), or it `did_not` (open, with all its redrives
 * before it).
 * @throws DlqError `conflict` where the entry is not in doubt or somebody was faster; the message says who and when.
 */
export async function decideInDoubt(
  { db, actor }: { db: Db; actor: { name: string; role: Role } },
  {
    entry_id,
    version,
    decision,
    reason,
  }: { entry_id: string; version: string; decision: 'happened' | 'did_not'; reason: string },
): Promise<{ entry_id: string; state: string; version: string }> {
  const [before] = await claimable(db, [entry_id]);
  if (!before) throw new DlqError('not_found', `no dead letter ${entry_id}`);
  if (before.state === 'in_doubt') {
    const seen = [{ entry_id, version }];
    const [changed] = await asActor(db, { actor: actor.name, reason }, (tx) =>
      decision === 'happened' ? resolve(tx, seen, { resolution: 'fixed', reason }) : reopen(tx, seen),
    );
    if (changed) return changed;
  }
  const [now = before] = await claimable(db, [entry_id]);
  throw new DlqError(
    'conflict',
    `dead letter ${entry_id} is ${now.state} since ${now.changed_at}, by ${now.changed_by}`,
    {
      state: now.state,
      version: now.version,
    },
  );
}
