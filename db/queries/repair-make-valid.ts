import { sql } from 'drizzle-orm';
import type { RepairMethod } from '@/lib/contract/repair';
import type { Tx } from '../client';

export type RepairedRow = {
  /** Plain EWKB; null where PostGIS would not, with its words. */
  after_wkb: Buffer | null;
  error: string | null;
};

/** ST_MakeValid of bytes that our own reader found fit for it. Ends with SQLSTATE 57014 at the statement's time limit. */
export async function repairMakeValid(tx: Tx, wkb: Uint8Array, method: RepairMethod): Promise<RepairedRow> {
  const { rows } = await tx.execute<RepairedRow>(sql`
    select ST_AsEWKB(r.geom, 'NDR') as after_wkb, r.error
    from dlq.repaired(${Buffer.from(wkb)}::bytea, ${method}::text) r`);
  return rows[0] ?? { after_wkb: null, error: 'the database answered nothing' };
}
