import { sql } from 'drizzle-orm';
import type { Db } from '../client';

/** Rejected lines of a source's file that nobody has dealt with. */
export interface OpenLines {
  name: string;
  side_file: string | null;
  lines: number;
}

/** By file, by name; `names` null stands for every file of the source. */
export async function countOpenLines(db: Db, source: string, names: readonly string[] | null): Promise<OpenLines[]> {
  const { rows } = await db.execute<OpenLines & Record<string, unknown>>(sql`
    select f.name, f.side_file, count(*)::integer as lines
    from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id
    where r.dismissed_at is null and f.source = ${source}::text
      and (${names === null}::boolean or f.name = any (${sql.param(names ?? [])}::text[]))
    group by f.id order by f.name collate "C"`);
  return rows;
}
