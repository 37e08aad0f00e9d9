import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Which of these files of a source have had rejected lines, all of them dealt with before `before`. */
export async function listSettledFiles(
  db: Db,
  { source, names, before }: { source: string; names: readonly string[]; before: Date },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await db.execute<{ name: string }>(sql`
    select f.name from dlq.spool_file f join dlq.rejected_line r on r.spool_file_id = f.id
    where f.source = ${source}::text and f.name = any (${sql.param(names)}::text[])
    group by f.id
    having bool_and(coalesce(r.dismissed_at < ${before.toISOString()}::timestamptz, false))`);
  return rows.map(({ name }) => name);
}
