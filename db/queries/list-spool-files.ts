import { sql } from 'drizzle-orm';
import type { SpoolFileState } from '@/lib/contract/spool';
import type { Db } from '../client';

/** Spool files, the newest first, from before the id `before` on. */
export async function listSpoolFiles(db: Db, input: { before: string; limit: number }): Promise<SpoolFileState[]> {
  const { rows } = await db.execute<SpoolFileState & Record<string, unknown>>(sql`
    select id::text as id, source, name, size_bytes::double precision as size_bytes, done_bytes::double precision as done_bytes,
      lines::double precision as lines, stored::double precision as stored, duplicates::double precision as duplicates,
      rejected::double precision as rejected, side_file, state, error,
      case when state = 'failed' then dlq.iso(lease_until) end as retry_at, dlq.iso(first_seen_at) as first_seen_at, dlq.iso(loaded_at) as loaded_at
    from dlq.spool_file where id < ${input.before}::bigint order by id desc limit ${input.limit}::integer`);
  return rows;
}
