import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

/** Up to about `most` vertices (x1, y1, x2 …) of an entry's geometry, null for those that are not numbers; none where PostGIS could not read it. */
export async function sampleVertices(db: Db | Tx, id: string, most: number): Promise<(number | null)[]> {
  const { rows } = await db.execute<{ vertices: (number | null)[] | null }>(sql`
    select dlq.some_vertices(p.geom, ${most}::integer) as vertices
    from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    where e.id = ${id}::bigint`);
  return rows[0]?.vertices ?? [];
}
