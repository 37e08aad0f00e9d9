import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Captured } from '@/lib/contract/capture';

/** What `dlq.capture(p, wkb)` takes: `p` as JSON text, so that no number passes through a double. */
export interface Proposal {
  p: string;
  wkb: Uint8Array | null;
  work_key: string;
}

/** Writes one dead letter and says what became of it. */
export async function capture(db: Db | Tx, { p, wkb }: Proposal): Promise<Captured> {
  const bytes = wkb === null ? null : Buffer.from(wkb);
  const { rows } = await db.execute<Captured & Record<string, unknown>>(sql`
    select c.entry_id::text as id, c.work_key, c.attempts, c.outcome
    from dlq.capture(${p}::jsonb, ${bytes}::bytea) c`);
  const row = rows[0];
  if (!row) throw new Error('dlq.capture returned no row');
  return row;
}
