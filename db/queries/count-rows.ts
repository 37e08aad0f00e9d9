import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** How many rows a table has, counted. */
export async function countRows(db: Db | Tx, schema_name: string, table_name: string): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(
    sql`select count(*)::text as n from ${sql.identifier(schema_name)}.${sql.identifier(table_name)}`,
  );
  return Number(rows[0]?.n ?? 0);
}
