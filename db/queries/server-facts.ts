import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

export interface ServerFacts extends Record<string, unknown> {
  postgres_version: string;
  postgis_version: string | null;
  has_migrations: boolean;
  /** Whether words of errors are looked up without an index. */
  lacks_text_index: boolean;
  read_only: boolean;
}

/** What the server is; answers on a database without the schema too. */
export async function serverFacts(db: Db): Promise<ServerFacts> {
  const { rows } = await db.execute<ServerFacts>(sql`
    select current_setting('server_version') as postgres_version,
      (select extversion from pg_extension where extname = 'postgis') as postgis_version,
      to_regclass('public.dlq_migrations') is not null as has_migrations,
      to_regclass('dlq.entry') is not null and to_regclass('dlq.entry_text') is null as lacks_text_index,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`);
  const row = rows[0];
  if (!row) throw new Error('the server answered nothing about itself');
  return row;
}

/** The migrations that were applied, by name and hash of their file. */
export async function appliedMigrations(db: Db): Promise<{ name: string; sha256: string }[]> {
  const { rows } = await db.execute<{ name: string; sha256: string }>(sql`
    select name, sha256 from public.dlq_migrations order by name`);
  return rows;
}
