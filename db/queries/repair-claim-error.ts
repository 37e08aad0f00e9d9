import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Why the database's PROJ cannot read a text as a CRS, in its words; null where it can. */
export async function repairClaimError(tx: Tx, text: string): Promise<string | null> {
  const { rows } = await tx.execute<{ error: string | null }>(sql`select dlq.crs_text_error(${text}::text) as error`);
  return rows[0]?.error ?? null;
}
