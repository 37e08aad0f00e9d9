import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { SourceCrs } from './place-vertices';

/** x,y of lon,lat points (lon1, lat1, lon2 …) in a CRS by the database's PROJ; null for those that have no place in it. */
export async function projectDegrees(
  db: Db | Tx,
  points: readonly number[],
  { source_srid, source_text }: SourceCrs,
): Promise<(number | null)[]> {
  const { rows } = await db.execute<{ projected: (number | null)[] }>(
    sql`select dlq.project_degrees(${sql.param([...points])}::float8[], ${source_srid}::integer, ${source_text}::text) as projected`,
  );
  return rows[0]?.projected ?? [];
}
