import { sql } from 'drizzle-orm';
import type { SpoolSourceState } from '@/lib/contract/spool';
import type { Db } from '../client';

/** A watch notes what it finds twice a minute, also while it loads: after this long nobody watches. */
const UNWATCHED_S = 150;

/** The sources that are or were watched, with what waits in each. */
export async function listSpoolSources(db: Db): Promise<SpoolSourceState[]> {
  const { rows } = await db.execute<SpoolSourceState & Record<string, unknown>>(sql`
    select s.url, s.kind, s.reachable, s.error, s.same_filesystem, dlq.iso(s.looked_at) as looked_at,
      s.looked_at > clock_timestamp() - make_interval(secs => ${UNWATCHED_S}::double precision) as is_watched,
      coalesce(w.files, 0) as waiting_files, coalesce(w.bytes, 0) as waiting_bytes, dlq.iso(w.oldest) as oldest_waiting_at
    from dlq.spool_source s
    left join lateral (
      select count(*)::integer as files, sum(greatest(f.size_bytes - f.done_bytes, 0))::double precision as bytes, min(f.first_seen_at) as oldest
      from dlq.spool_file f where f.source = s.url and f.state in ('waiting', 'loading', 'failed')) w on true
    order by s.url`);
  return rows;
}
