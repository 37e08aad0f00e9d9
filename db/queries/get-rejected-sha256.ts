import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** The hash, in hex, of the bytes of a rejected line as its loader held them; null where there is no such line. */
export async function getRejectedSha256(db: Db, id: string): Promise<string | null> {
  const { rows } = await db.execute<{ sha256: string }>(sql`
    select encode(sha256, 'hex') as sha256 from dlq.rejected_line where id = ${id}::bigint`);
  return rows[0]?.sha256 ?? null;
}
