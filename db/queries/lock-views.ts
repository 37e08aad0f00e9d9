import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Lets one transaction at a time add views, so that their number keeps to its limit; readers are not held up. */
export async function lockViews(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table dlq.saved_view in share row exclusive mode`);
}
