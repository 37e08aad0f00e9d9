import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/**
 * Starts what was previewed; false when it was started before, has expired or does not exist. Compare-and-set on the
 * state: of two posts of one preview, one starts it.
 */
export async function startPreviewed(
  db: Db,
  input: { preview_id: string; actor: string; reason: string; rate_per_s: number | null; canary: number | null },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update dlq.operation set state = 'running', actor = ${input.actor}::text, reason = ${input.reason}::text,
      rate_per_s = ${input.rate_per_s}::double precision, canary = ${input.canary}::integer, started_at = clock_timestamp()
    where preview_id = ${input.preview_id}::uuid and state = 'previewed' and expires_at > clock_timestamp()`);
  return (rowCount ?? 0) === 1;
}
