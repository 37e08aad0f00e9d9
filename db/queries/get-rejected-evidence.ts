import { sql } from 'drizzle-orm';
import type { Db } from '../client';

export interface RejectedEvidence {
  /** In hex, of the line's bytes as their loader held them. */
  sha256: string;
  /** Of the file when the line was rejected. */
  edition: string;
}

/** What tells a rejected line's bytes and its file from others; null where there is no such line. */
export async function getRejectedEvidence(db: Db, id: string): Promise<RejectedEvidence | null> {
  const { rows } = await db.execute<RejectedEvidence & Record<string, unknown>>(sql`
    select encode(sha256, 'hex') as sha256, edition from dlq.rejected_line where id = ${id}::bigint`);
  return rows[0] ?? null;
}
