import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import type { SpoolProgress } from './advance-spool-file';

/** A file whose lease this worker holds, with how far it was loaded. */
export interface ClaimedFile extends SpoolProgress {
  id: string;
  name: string;
  size_bytes: number;
  modified_at: string;
}

/**
 * Takes the next file of a source that nobody holds, or null. Free is what waits, what a worker of `gone` held, and what
 * was held or had failed until a moment that has passed. Rows that another worker is claiming are skipped.
 */
export async function claimSpoolFile(
  db: Db,
  input: { source: string; names: readonly string[]; worker: string; gone: readonly string[]; lease_s: number },
): Promise<ClaimedFile | null> {
  const { rows } = await db.execute<ClaimedFile & Record<string, unknown>>(sql`
    update dlq.spool_file f
    set state = 'loading', error = null, worker = ${input.worker}::text,
      lease_until = clock_timestamp() + make_interval(secs => ${input.lease_s}::double precision)
    where f.id = (
      select c.id from dlq.spool_file c
      where c.source = ${input.source}::text and c.name = any (${sql.param(input.names)}::text[])
        and (c.state = 'waiting' or (c.state in ('loading', 'failed')
          and (c.lease_until < clock_timestamp() or (c.state = 'loading' and c.worker = any (${sql.param(input.gone)}::text[])))))
      order by c.id limit 1 for no key update skip locked)
    returning f.id::text as id, f.name, f.size_bytes::double precision as size_bytes, dlq.iso(f.modified_at) as modified_at,
      f.done_bytes::double precision as done_bytes, f.fingerprint, f.edition,
      f.lines::double precision as lines, f.stored::double precision as stored, f.duplicates::double precision as duplicates,
      f.rejected::double precision as rejected`);
  return rows[0] ?? null;
}
