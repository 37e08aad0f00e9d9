import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

/** The bytes of entries' current geometries as stored, by id. Whether the asker may see them is the caller's to know. */
export async function sourceGeometriesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const { rows } = await db.execute<{ id: string; wkb: Buffer }>(sql`
    select e.id::text as id, p.geom_wkb as wkb
    from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    where e.id = any (${sql.param([...ids])}::bigint[]) and p.geom_wkb is not null`);
  return new Map(rows.map(({ id, wkb }) => [id, wkb]));
}
