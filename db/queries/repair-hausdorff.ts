import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/**
 * How far a vertex of either geometry lies from the lines of the other at most (the discrete Hausdorff distance), in source
 * units; null where there is none. Grows with the product of both vertex counts.
 */
export async function repairHausdorff(tx: Tx, before_wkb: Uint8Array, after_wkb: Uint8Array): Promise<number | null> {
  const { rows } = await tx.execute<{ distance: number | null }>(sql`
    select ST_HausdorffDistance(encode(${Buffer.from(before_wkb)}::bytea, 'hex')::geometry,
      encode(${Buffer.from(after_wkb)}::bytea, 'hex')::geometry) as distance`);
  return rows[0]?.distance ?? null;
}
