import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

/** The footprints of entries as ISO WKB in EPSG:4326, by id. Whether the asker may see them is the caller's to know. */
export async function footprintsOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const { rows } = await db.execute<{ id: string; wkb: Buffer }>(sql`
    select d.entry_id::text as id, ST_AsBinary(d.footprint, 'NDR') as wkb
    from dlq.diagnosis d
    where d.entry_id = any(${sql.param([...ids])}::bigint[]) and d.diagnosed_at is not null and d.footprint is not null`);
  return new Map(rows.map(({ id, wkb }) => [id, wkb]));
}
