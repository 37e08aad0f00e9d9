import type { Db } from '@/db/client';
import { depthNow } from '@/db/queries/depth-now';
import type { Depth } from '@/lib/contract/health';

/** The depth now: the total is the sum of its parts, all from one statement. */
export async function depth({ db }: { db: Db }): Promise<Depth> {
  const { as_of, by } = await depthNow(db);
  return { as_of, depth: by.reduce((total, { count }) => total + count, 0), by };
}
