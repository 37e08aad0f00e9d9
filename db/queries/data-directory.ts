import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Where the server keeps its data, when it runs on this machine and this role may know; else null. */
export async function dataDirectory(db: Db): Promise<string | null> {
  const { rows } = await db.execute<{ folder: string | null }>(sql`
    select case
      when not pg_has_role(current_user, 'pg_read_all_settings', 'usage') then null
      when inet_server_addr() is null or host(inet_server_addr()) in ('127.0.0.1', '::1') then current_setting('data_directory')
    end as folder`);
  return rows[0]?.folder ?? null;
}
