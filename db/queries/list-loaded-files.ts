import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** Which of these files of a source are loaded whole. */
export async function listLoadedFiles(db: Db | Tx, source: string, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select name from dlq.spool_file
    where source = ${source}::text and name = any (${sql.param(names)}::text[]) and state = 'loaded'`);
  return new Set(rows.map(({ name }) => name));
}
