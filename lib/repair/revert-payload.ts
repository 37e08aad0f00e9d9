import { asActor } from '@/db/as-actor';
import type { Db } from '@/db/client';
import { lockEditable } from '@/db/queries/repair-lock';
import { usePayload } from '@/db/queries/repair-use-payload';
import { storedVersion } from '@/db/queries/revert-payload';
import type { EditedPayload } from '@/lib/contract/edit';
import { DlqError } from '@/lib/contract/error';
import { noSuchEntry } from '@/lib/triage/entry-id';
import { checkEditable } from './check-editable';

/** Makes a stored version, captured or edited, the current payload again. @throws DlqError as editPayload. */
export function revertPayload(
  { db, actor }: { db: Db; actor: { name: string } },
  seen: { entry_id: string; payload_hash: string; version: string; reason: string; revert_to: string },
): Promise<EditedPayload> {
  const { entry_id, revert_to, reason } = seen;
  return asActor(db, { actor: actor.name, reason }, async (tx) => {
    const now = await lockEditable(tx, entry_id);
    if (!now) throw noSuchEntry(entry_id);
    checkEditable(entry_id, seen, now);
    const stored = await storedVersion(tx, entry_id, revert_to);
    if (!stored)
      throw new DlqError('unprocessable', `dead letter ${entry_id} has no payload ${revert_to.slice(0, 12)}`);
    if (revert_to === now.payload_hash)
      throw new DlqError('unprocessable', `payload ${revert_to.slice(0, 12)} is the current one already`);
    const { edited_by } = stored;
    const which = edited_by === null ? 'as captured' : `edited by ${edited_by}`;
    const change = `back to payload ${revert_to.slice(0, 12)}, ${which}`;
    const version = await usePayload(tx, { entry_id, payload_hash: revert_to, change });
    return { id: entry_id, payload_hash: revert_to, edited_by, added: false, change, state: now.state, version };
  });
}
