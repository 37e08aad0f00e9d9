import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Ends a worker's turn of making old diagnoses anew: the next one goes on behind `through_id` (null: where this one began). */
export async function endRenewalTurn(
  db: Db,
  ruleset: number,
  { through_id, is_end }: { through_id: string | null; is_end: boolean },
): Promise<void> {
  await db.execute(sql`
    update dlq.diagnosis_renewal r set lease_until = null, after_id = greatest(r.after_id, ${through_id}::bigint),
      finished_at = case when ${is_end}::boolean then clock_timestamp() end
    where r.ruleset = ${ruleset}::smallint`);
}
