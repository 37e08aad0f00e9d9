import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { positionFor } from '@/db/position-sql';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** What others can be like an entry in. */
export interface SimilarTo extends Record<string, unknown> {
  task_name: string;
  src_crs: string | null;
  code_version: string | null;
  signature: string;
  crs_verdict: string | null;
  lon: number | null;
  lat: number | null;
}

/** One entry by its primary key; the place as the role may see it. */
export async function getSimilarTo(db: Db | Tx, id: string, role: Role): Promise<SimilarTo | null> {
  const { rows } = await db.execute<SimilarTo>(sql`
    select c.task_name, c.src_crs, c.code_version, c.signature, c.crs_verdict,
      dlq.cell_lon(${positionFor(role)}) as lon, dlq.cell_lat(${positionFor(role)}) as lat
    from dlq.state s join dlq.combo c on c.id = s.combo where s.entry_id = ${id}::bigint`);
  return rows[0] ?? null;
}
