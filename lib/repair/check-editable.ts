import type { EditableRow } from '@/db/queries/repair-lock';
import { DlqError } from '@/lib/contract/error';
import type { State } from '@/lib/dead-letter/vocabulary';

/** Why the payload of an entry in this state stays as it is. Only what waits for a person can be edited. */
const REFUSED: Partial<Record<State, string>> = {
  redriving: 'a redrive of it is under way',
  redriven: 'the outcome of its redrive is not known yet',
  in_doubt: 'nothing is known of its redrive; say first what happened',
  resolved: 'it is resolved; reopen it first',
};

/**
 * Compares what the person saw with what is there now, under the entry's locks.
 * @throws DlqError conflict; `details.reason` is the state, or `changed`.
 */
export function checkEditable(
  entry_id: string,
  seen: { payload_hash: string; version: string },
  { state, version, payload_hash, changed_by, changed_at }: EditableRow,
): void {
  const refused = REFUSED[state];
  const now = { state, version, payload_hash };
  if (refused !== undefined)
    throw new DlqError('conflict', `the payload of dead letter ${entry_id} cannot be edited: ${refused}`, {
      reason: state,
      ...now,
    });
  if (version === seen.version && payload_hash === seen.payload_hash) return;
  throw new DlqError(
    'conflict',
    `dead letter ${entry_id} has changed since you looked (last by ${changed_by ?? 'nobody'}, ${changed_at ?? 'never'}); look at it again`,
    { reason: 'changed', ...now },
  );
}
