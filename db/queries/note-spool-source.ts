import { sql } from 'drizzle-orm';
import type { Db } from '../client';

export interface SourceLook {
  url: string;
  kind: 'directory' | 'bucket';
  reachable: boolean;
  error: string | null;
  same_filesystem: boolean | null;
}

/** Keeps what the last look at a watched source found. */
export async function noteSpoolSource(db: Db, look: SourceLook): Promise<void> {
  await db.execute(sql`
    insert into dlq.spool_source (url, kind, reachable, error, same_filesystem)
    values (${look.url}::text, ${look.kind}::text, ${look.reachable}::boolean, ${look.error}::text, ${look.same_filesystem}::boolean)
    on conflict (url) do update set kind = excluded.kind, reachable = excluded.reachable, error = excluded.error,
      same_filesystem = excluded.same_filesystem, looked_at = clock_timestamp()`);
}
