import { sql } from 'drizzle-orm';
import type { State } from '@/lib/dead-letter/vocabulary';
import type { Tx } from '../client';

export type EditableRow = {
  state: State;
  version: string;
  /** Hex of the current payload. */
  payload_hash: string;
  changed_by: string | null;
  changed_at: string | null;
};

/** Locks an entry, its diagnosis and its state, and says how they stand then; null where there is no such entry. */
export async function lockEditable(tx: Tx, entry_id: string): Promise<EditableRow | null> {
  const { rows } = await tx.execute<EditableRow>(sql`
    select l.state, l.version::text, encode(l.payload_hash, 'hex') as payload_hash, l.changed_by, dlq.iso(l.changed_at) as changed_at
    from dlq.lock_editable(${entry_id}::bigint) l`);
  return rows[0] ?? null;
}
